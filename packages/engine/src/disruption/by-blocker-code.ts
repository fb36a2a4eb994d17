import type { Blocker } from './blocker.ts'

/** The blocker with one code. */
export type BlockerOf<Code extends Blocker['code']> = Extract<Blocker, { readonly code: Code }>

/** One function per code, which receives the blocker with that code. */
export type ByBlockerCode<Result> = { readonly [Code in Blocker['code']]: (blocker: BlockerOf<Code>) => Result }

/** Calls the function for a blocker's code and returns its result. */
export const byBlockerCode = <Result>(functions: ByBlockerCode<Result>, blocker: Blocker): Result => {
  // The table maps each code to the function for that code. TypeScript cannot derive this for a union.
  const ofCode = functions[blocker.code] as (blocker: Blocker) => Result
  return ofCode(blocker)
}
