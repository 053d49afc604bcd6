/// The components of the OpenAPI document.
enum OpenAPIComponents {
    static let text =
        "  \"components\": {\n" + parts + ",\n    \"schemas\": {\n" + OpenAPISchemas.text + "\n    }\n  }"

    private static let parts = #"""
            "securitySchemes": {
              "bearer": {"type": "http", "scheme": "bearer", "description": "Needed where the server has API keys."},
              "basic": {
                "type": "http",
                "scheme": "basic",
                "description": "The key as user, or as password of the user named as the key."
              }
            },
            "parameters": {
              "RequestID": {
                "name": "X-Request-Id",
                "in": "header",
                "description": "Repeated in the answer; made up where it is absent.",
                "schema": {"type": "string", "maxLength": 128}
              }
            },
            "headers": {
              "Location": {
                "description": "Where to ask for the charge.",
                "schema": {"type": "string", "format": "uri-reference"}
              },
              "PreferenceApplied": {"description": "The seconds of the wait, as wait=N.", "schema": {"type": "string"}},
              "RetryAfter": {"description": "Seconds.", "schema": {"type": "integer"}}
            },
            "requestBodies": {
              "Charge": {
                "required": true,
                "content": {
                  "application/json": {"schema": {"$ref": "#/components/schemas/ChargeRequest"}},
                  "application/x-www-form-urlencoded": {
                    "schema": {"$ref": "#/components/schemas/ChargeRequest"},
                    "encoding": {"metadata": {"style": "deepObject", "explode": true}}
                  }
                }
              }
            },
            "responses": {
              "Result": {
                "description": "The result: 200 succeeded or authorized, 402 declined, requires_action or \#
        not_charged, 409 refused, 422 rejected",
                "headers": {
                  "Location": {"$ref": "#/components/headers/Location"},
                  "Preference-Applied": {"$ref": "#/components/headers/PreferenceApplied"}
                },
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ChargeResult"}}}
              },
              "Queued": {
                "description": "Accepted; there is no final result yet",
                "headers": {
                  "Location": {"$ref": "#/components/headers/Location"},
                  "Preference-Applied": {"$ref": "#/components/headers/PreferenceApplied"}
                },
                "content": {
                  "application/json": {
                    "schema": {
                      "anyOf": [
                        {"$ref": "#/components/schemas/QueuedCharge"},
                        {"$ref": "#/components/schemas/ChargeResult"}
                      ]
                    }
                  }
                }
              },
              "RejectedOrProblem": {
                "description": "A field is wrong (a problem), or Stripe rejected the charge (a result)",
                "content": {
                  "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}},
                  "application/json": {"schema": {"$ref": "#/components/schemas/ChargeResult"}}
                }
              },
              "Buyer": {
                "description": "What may be shown to the buyer",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/BuyerAnswer"}}}
              },
              "BuyerOrProblem": {
                "description": "A field is wrong (a problem), or the charge was rejected",
                "content": {
                  "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}},
                  "application/json": {"schema": {"$ref": "#/components/schemas/BuyerAnswer"}}
                }
              },
              "Unavailable": {
                "description": "Not accepted, or not known to be: send the same request again with the same id or key",
                "headers": {"Retry-After": {"$ref": "#/components/headers/RetryAfter"}},
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              },
              "Problem": {
                "description": "RFC 9457",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
              }
            }
        """#
}
