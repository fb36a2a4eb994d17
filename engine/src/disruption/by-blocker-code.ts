import type { Blocker } from './blocker.ts'

/** The blocker with one code. */
export type BlockerOf<Code extends Blocker['code']> = Extract<Blocker, { readonly code: Code }>

/** One function for each code, which is handed the blocker with that code. */
export type ByBlockerCode<Result> = { readonly [Code in Blocker['code']]: (blocker: BlockerOf<Code>) => Result }

/** What the function for a blocker's code says of it. */
export const byBlockerCode = <Result>(functions: ByBlockerCode<Result>, blocker: Blocker): Result => {
  // The table has for each code the function that takes it, which TypeScript does not follow through a union.
  const ofCode = functions[blocker.code] as (blocker: Blocker) => Result
  return ofCode(blocker)
}
