/// The schemas of the OpenAPI document.
enum OpenAPISchemas {
    static let text = requests + ",\n" + results

    private static let requests = #"""
              "ChargeID": {"type": "string", "pattern": "^[A-Za-z0-9._:-]{1,200}$", "examples": ["order-1001"]},
              "Metadata": {
                "type": "object",
                "maxProperties": 48,
                "propertyNames": {"minLength": 1, "maxLength": 40},
                "additionalProperties": {"type": ["string", "null"], "maxLength": 500}
              },
              "ChargeRequest": {
                "type": "object",
                "required": ["amount", "currency"],
                "properties": {
                  "id": {"$ref": "#/components/schemas/ChargeID"},
                  "token": {
                    "type": "string",
                    "description": "What pays: tok_…, pm_…, src_…, or with a customer card_… or nothing. Never a card \#
        number.",
                    "pattern": "^(tok|pm|src|card)_[A-Za-z0-9_]+$",
                    "maxLength": 255
                  },
                  "amount": {
                    "type": "integer",
                    "description": "Minor units: 1999 is 19.99 usd.",
                    "minimum": 1,
                    "maximum": 999999999999
                  },
                  "currency": {"type": "string", "pattern": "^[A-Za-z]{3}$"},
                  "description": {"type": "string"},
                  "metadata": {"$ref": "#/components/schemas/Metadata"},
                  "receipt_email": {"type": "string", "format": "email", "maxLength": 254},
                  "statement_descriptor_suffix": {"type": "string", "maxLength": 22},
                  "customer": {"type": "string", "pattern": "^cus_[A-Za-z0-9_]+$"},
                  "capture": {"type": "boolean", "default": true, "description": "False only reserves the money."},
                  "off_session": {"type": "boolean", "default": false},
                  "stripe_account": {"type": "string", "pattern": "^acct_[A-Za-z0-9_]+$"},
                  "not_after": {
                    "type": "string",
                    "format": "date-time",
                    "description": "Not sent to Stripe for the first time after it."
                  },
                  "livemode": {"type": "boolean"}
                },
                "patternProperties": {"^x_": {}},
                "additionalProperties": false
              },
              "QueuedCharge": {
                "type": "object",
                "required": ["id", "status", "final"],
                "properties": {
                  "id": {"$ref": "#/components/schemas/ChargeID"},
                  "status": {"const": "queued"},
                  "final": {"const": false},
                  "lane": {"type": "string"},
                  "accepted_at": {"type": ["string", "null"], "format": "date-time"}
                }
              },
              "BuyerAnswer": {
                "type": "object",
                "required": ["id", "status", "message"],
                "properties": {
                  "id": {"$ref": "#/components/schemas/ChargeID"},
                  "status": {"type": "string", "description": "As a result's; pending while there is none."},
                  "amount": {"type": "integer"},
                  "currency": {"type": "string"},
                  "code": {"type": "string", "description": "Why the card was declined, where that may be shown."},
                  "message": {"type": "string"}
                }
              }
        """#

    private static let results = #"""
              "ChargeResult": {
                "type": "object",
                "required": ["version", "event", "id", "sequence", "final", "status"],
                "properties": {
                  "version": {"const": 1},
                  "event": {"type": "string", "description": "The same on every duplicate."},
                  "id": {"$ref": "#/components/schemas/ChargeID"},
                  "sequence": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 3,
                    "description": "A rank, not a count: keep the highest."
                  },
                  "final": {"type": "boolean"},
                  "status": {
                    "enum": [
                      "succeeded",
                      "authorized",
                      "declined",
                      "requires_action",
                      "rejected",
                      "not_charged",
                      "unknown",
                      "parked",
                      "refused"
                    ]
                  },
                  "amount": {"type": ["integer", "null"]},
                  "currency": {"type": ["string", "null"]},
                  "lane": {"type": "string"},
                  "metadata": {"$ref": "#/components/schemas/Metadata"},
                  "correlation_id": {"type": "string"},
                  "caller": {"type": ["string", "null"]},
                  "receipt_email": {"type": ["string", "null"]},
                  "customer": {"type": ["string", "null"]},
                  "stripe": {
                    "type": "object",
                    "properties": {
                      "payment_intent": {"type": ["string", "null"]},
                      "charge": {"type": ["string", "null"]},
                      "request_id": {"type": ["string", "null"]},
                      "livemode": {"type": ["boolean", "null"]},
                      "receipt_url": {"type": ["string", "null"]}
                    }
                  },
                  "failure": {
                    "type": ["object", "null"],
                    "properties": {
                      "code": {"type": "string"},
                      "decline_code": {
                        "type": ["string", "null"],
                        "description": "For the merchant only: it may say that a card is stolen."
                      },
                      "advice": {"type": ["string", "null"]},
                      "message": {"type": "string"},
                      "buyer_code": {"type": ["string", "null"], "description": "Safe to show."},
                      "buyer_message": {"type": ["string", "null"], "description": "Safe to show."},
                      "param": {"type": ["string", "null"]}
                    }
                  },
                  "attempts": {"type": "integer"},
                  "replayed": {"type": "boolean"},
                  "accepted_at": {"type": ["string", "null"], "format": "date-time"},
                  "completed_at": {"type": "string", "format": "date-time"}
                }
              },
              "Problem": {
                "type": "object",
                "description": "RFC 9457",
                "required": ["type", "title", "status", "detail"],
                "properties": {
                  "type": {"type": "string", "format": "uri-reference", "examples": ["/problems/invalid-field"]},
                  "title": {"type": "string"},
                  "status": {"type": "integer"},
                  "detail": {"type": "string"},
                  "id": {"type": "string", "description": "The charge, where it has a name already."},
                  "request_id": {"type": "string"},
                  "errors": {
                    "type": "array",
                    "items": {
                      "type": "object",
                      "required": ["pointer", "code", "detail"],
                      "properties": {
                        "pointer": {"type": "string", "format": "json-pointer"},
                        "field": {"type": "string"},
                        "code": {"type": "string"},
                        "detail": {"type": "string"}
                      }
                    }
                  }
                }
              }
        """#
}
