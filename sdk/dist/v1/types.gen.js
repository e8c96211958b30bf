// Generated from openapi.json by npm run gen.
export {};
