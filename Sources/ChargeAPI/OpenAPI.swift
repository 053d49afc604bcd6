/// The document at `GET /openapi.json`: OpenAPI 3.1 of the calls of this API. A test holds its paths to the router's.
enum OpenAPI {
    static let document: [UInt8] = Array(
        ("{\n" + [head, paths, OpenAPIComponents.text].joined(separator: ",\n") + "\n}\n").utf8)

    private static let head = #"""
          "openapi": "3.1.0",
          "info": {
            "title": "chargeline",
            "version": "1",
            "summary": "Takes charges off a checkout's hands and carries each one to a result.",
            "description": "A charge is accepted once the message broker has written it down, and carried out by \#
        workers at Stripe. The same charge id is charged at most once, ever: a request that got no answer, or a 503, \#
        can be sent again with the same id or Idempotency-Key.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"}
          },
          "servers": [{"url": "/"}],
          "security": [{}, {"bearer": []}, {"basic": []}]
        """#

    private static let paths = #"""
          "paths": {
            "/v1/charges": {
              "post": {
                "operationId": "createCharge",
                "summary": "Accept a charge, and wait for its result if asked to",
                "description": "Answers 202 once the broker has confirmed the charge. With `Prefer: wait=N` it waits \#
        up to N seconds (the server caps N) and answers by the result; the header Preference-Applied tells the \#
        seconds. The id is the body's `id`, else it follows from `Idempotency-Key`, else from a one-time token, so \#
        that a request sent again is the same charge; else it is new.",
                "parameters": [
                  {
                    "name": "lane",
                    "in": "query",
                    "description": "The lane; the first configured by default.",
                    "schema": {"type": "string", "pattern": "^[a-z0-9-]{1,32}$"}
                  },
                  {
                    "name": "Idempotency-Key",
                    "in": "header",
                    "description": "Bare or as a quoted string.",
                    "schema": {"type": "string", "minLength": 1, "maxLength": 257}
                  },
                  {
                    "name": "Prefer",
                    "in": "header",
                    "description": "RFC 7240; only wait is understood.",
                    "schema": {"type": "string", "examples": ["wait=10"]}
                  },
                  {
                    "name": "traceparent",
                    "in": "header",
                    "description": "W3C trace context; kept with the charge.",
                    "schema": {"type": "string"}
                  },
                  {"$ref": "#/components/parameters/RequestID"}
                ],
                "requestBody": {"$ref": "#/components/requestBodies/Charge"},
                "responses": {
                  "200": {"$ref": "#/components/responses/Result"},
                  "202": {"$ref": "#/components/responses/Queued"},
                  "402": {"$ref": "#/components/responses/Result"},
                  "409": {"$ref": "#/components/responses/Result"},
                  "422": {"$ref": "#/components/responses/RejectedOrProblem"},
                  "503": {"$ref": "#/components/responses/Unavailable"},
                  "default": {"$ref": "#/components/responses/Problem"}
                }
              }
            },
            "/v1/charges/{id}": {
              "get": {
                "operationId": "getCharge",
                "summary": "The latest that this server has seen of a charge",
                "description": "Answers with the status of the result, 202 as long as there is none. 404 says that \#
        this server has not seen the charge; it is no proof that there is none.",
                "parameters": [
                  {"name": "id", "in": "path", "required": true, "schema": {"$ref": "#/components/schemas/ChargeID"}},
                  {"$ref": "#/components/parameters/RequestID"}
                ],
                "responses": {
                  "200": {"$ref": "#/components/responses/Result"},
                  "202": {"$ref": "#/components/responses/Queued"},
                  "402": {"$ref": "#/components/responses/Result"},
                  "409": {"$ref": "#/components/responses/Result"},
                  "422": {"$ref": "#/components/responses/Result"},
                  "default": {"$ref": "#/components/responses/Problem"}
                }
              }
            },
            "/charge": {
              "post": {
                "operationId": "chargeAndWait",
                "summary": "Charge while a buyer waits: the call of the mobile apps",
                "description": "Waits for the result as long as the server is configured to. The charge is sent to \#
        Stripe within the wait or not at all, so that 202 means: at Stripe now, the result will follow. 503 at once \#
        while no worker is running. The answer holds only what may be shown to a buyer.",
                "parameters": [
                  {
                    "name": "Idempotency-Key",
                    "in": "header",
                    "schema": {"type": "string", "minLength": 1, "maxLength": 257}
                  },
                  {"$ref": "#/components/parameters/RequestID"}
                ],
                "requestBody": {"$ref": "#/components/requestBodies/Charge"},
                "responses": {
                  "200": {"$ref": "#/components/responses/Buyer"},
                  "202": {"$ref": "#/components/responses/Buyer"},
                  "402": {"$ref": "#/components/responses/Buyer"},
                  "409": {"$ref": "#/components/responses/Buyer"},
                  "422": {"$ref": "#/components/responses/BuyerOrProblem"},
                  "503": {"$ref": "#/components/responses/Unavailable"},
                  "default": {"$ref": "#/components/responses/Problem"}
                }
              }
            },
            "/openapi.json": {
              "get": {
                "operationId": "getDescription",
                "summary": "This document",
                "security": [{}],
                "responses": {
                  "200": {"description": "OpenAPI 3.1", "content": {"application/json": {"schema": {"type": "object"}}}}
                }
              }
            },
            "/problems/{name}": {
              "get": {
                "operationId": "getProblem",
                "summary": "What a problem's type means and what to do about it",
                "security": [{}],
                "parameters": [{"name": "name", "in": "path", "required": true, "schema": {"type": "string"}}],
                "responses": {
                  "200": {"description": "An explanation", "content": {"text/plain": {"schema": {"type": "string"}}}},
                  "default": {"$ref": "#/components/responses/Problem"}
                }
              }
            }
          }
        """#
}
