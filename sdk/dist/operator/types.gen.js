// Generated from openapi.operator.json by npm run gen.
export {};
