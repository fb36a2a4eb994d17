/**
 * Kubernetes quantities, exact. A `Quantity` counts billionths (nano) of the unit, so every value the API accepts is a
 * whole number and comparison is `<`.
 */
export type Quantity = bigint & { readonly __quantity: true }
