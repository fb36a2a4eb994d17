import type { UndeclaredCallError } from '../permissions/guarded-client.ts'

const refusals: UndeclaredCallError[] = []

/** Records the refusal of a call without a declared permission. */
export const noteRefusal = (refusal: UndeclaredCallError): void => {
  refusals.push(refusal)
}

/**
 * Returns the refusals since the last call. This module imports only types, because every test file loads it
 * (`tests/support/setup/declared-permissions.ts`).
 */
export const takeRefusals = (): readonly UndeclaredCallError[] => refusals.splice(0)
