export * from "./syntax"
