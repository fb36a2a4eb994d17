/** The key of an object: `namespace/name`, or `name` for cluster-scoped kinds. Controllers without keys use `''`. */
export type Key = string
