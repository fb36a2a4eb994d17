import { crds } from './crds/verb.ts'
import { run } from './run/verb.ts'
import type { Verb } from './verb.ts'

/** Every verb, in the order of `kerf --help`. */
export const verbs: readonly Verb[] = [run, crds]
