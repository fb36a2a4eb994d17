/** `namespace/name`, or `name` for cluster-scoped kinds; singletons use `''`. */
export type Key = string
