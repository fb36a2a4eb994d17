import { aws } from './aws/verb.ts'
import { clusterApi } from './cluster-api/verb.ts'
import { crds } from './crds/verb.ts'
import { dashboard } from './dashboard/verb.ts'
import { doctor } from './doctor/verb.ts'
import { explain } from './explain/verb.ts'
import { migrate } from './migrate/verb.ts'
import { newProvider } from './new-provider/verb.ts'
import { plan } from './plan/verb.ts'
import { record } from './record/verb.ts'
import { run } from './run/verb.ts'
import { simulate } from './simulate/verb.ts'
import { up } from './up/verb.ts'
import type { Verb } from './verb.ts'

/** Every verb, in the order of `kerf --help`. */
export const verbs: readonly Verb[] = [
  up,
  run,
  plan,
  explain,
  doctor,
  simulate,
  record,
  dashboard,
  crds,
  aws,
  clusterApi,
  migrate,
  newProvider,
]
