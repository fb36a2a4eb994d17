/** Thrown if no address of a pool is free. */
export class PoolFullError extends Error {
  override readonly name = 'PoolFullError'
}

/** Thrown if another controller has assigned the guest's address to a guest with a lower ID. */
export class AddressTakenError extends Error {
  override readonly name = 'AddressTakenError'
}
