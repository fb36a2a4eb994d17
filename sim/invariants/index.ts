import { claimsOutliveInstances } from './claims-outlive-instances.ts'
import { closedBeforeDrained } from './closed-before-drained.ts'
import { consolidationHappens } from './consolidation-happens.ts'
import { deletionsHaveCauses } from './deletions-have-causes.ts'
import { disruptionBudgets } from './disruption-budgets.ts'
import { drainedBeforeEnded } from './drained-before-ended.ts'
import { expiredNodesGo } from './expired-nodes-go.ts'
import { graceIsGranted } from './grace-is-granted.ts'
import { interruptionsAreHeeded } from './interruptions-are-heeded.ts'
import type { MakeInvariant } from './invariant.ts'
import { leaksAreEnded } from './leaks-are-ended.ts'
import { movesSaveMoney } from './moves-save-money.ts'
import { nodesCarryClaims } from './nodes-carry-claims.ts'
import { nodesGetTheirTime } from './nodes-get-their-time.ts'
import { oneInstancePerClaim } from './one-instance-per-claim.ts'
import { oneLeader } from './one-leader.ts'
import { onePlanPerPod } from './one-plan-per-pod.ts'
import { pairedInstances } from './paired-instances.ts'
import { podsAreAskedToGo } from './pods-are-asked-to-go.ts'
import { podsRun } from './pods-run.ts'
import { podsWaitForRegistration } from './pods-wait-for-registration.ts'
import { poolLimits } from './pool-limits.ts'
import { protectedPodsStay } from './protected-pods-stay.ts'
import { quiet } from './quiet.ts'
import { replacementsFirst } from './replacements-first.ts'
import { staticPoolsAreFull } from './static-pools-are-full.ts'
import { strangersStay } from './strangers-stay.ts'
import { volumesComeOffFirst } from './volumes-come-off-first.ts'
import { wantedChangesHappen } from './wanted-changes-happen.ts'

/** Everything that must hold. */
export const invariants: readonly MakeInvariant[] = [
  pairedInstances,
  oneInstancePerClaim,
  strangersStay,
  leaksAreEnded,
  interruptionsAreHeeded,
  oneLeader,
  claimsOutliveInstances,
  drainedBeforeEnded,
  volumesComeOffFirst,
  podsAreAskedToGo,
  podsWaitForRegistration,
  onePlanPerPod,
  poolLimits,
  closedBeforeDrained,
  protectedPodsStay,
  nodesCarryClaims,
  disruptionBudgets,
  replacementsFirst,
  nodesGetTheirTime,
  movesSaveMoney,
  deletionsHaveCauses,
  graceIsGranted,
  wantedChangesHappen,
  consolidationHappens,
  expiredNodesGo,
  staticPoolsAreFull,
  podsRun,
  quiet,
]
