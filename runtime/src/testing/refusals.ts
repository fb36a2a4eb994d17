import type { UndeclaredCallError } from '../permissions/guarded-client.ts'

const refusals: UndeclaredCallError[] = []

/** Keeps the refusal of a call that the declared permissions do not cover. */
export const noteRefusal = (refusal: UndeclaredCallError): void => {
  refusals.push(refusal)
}

/**
 * Returns the refusals since the last call. In a module of its own, because every test file loads it
 * (`test/setup/declared-permissions.ts`).
 */
export const takeRefusals = (): readonly UndeclaredCallError[] => refusals.splice(0)
