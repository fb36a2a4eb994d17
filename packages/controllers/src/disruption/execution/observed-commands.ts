import type { Decision } from '@kerf/engine'
import type { Observations } from '../../modes/observe/observations.ts'
import type { ClusterState } from '../../state/cluster-state.ts'
import { type Command, commandDecision, commandOutline } from '../commands/command.ts'

const NO_OP: Decision = 'no-op'

/** Returns whether the command would change anything. */
export const isAction = (command: Command): boolean => commandDecision(command) !== NO_OP

/** Records what Kerf would do with nodes of pools in observe mode. */
export const recordObserved = (
  commands: readonly Command[],
  { state, observations }: { readonly state: ClusterState; readonly observations: Observations },
): void => {
  for (const command of commands) {
    // A planned replacement of a static pool holds a reservation for one node of the pool. Observe mode launches no node, so the
    // reservation must be released.
    for (const { kind, pool } of command.replacements)
      if (kind === 'template') state.claims.release(pool.metadata.name, 1)
    if (!isAction(command)) continue
    const { nodes, pools, replacements, savings } = commandOutline(command)
    observations.disrupt({
      reason: command.reason,
      claims: command.candidates.map(({ claim }) => claim),
      nodes,
      nodePools: pools,
      replacements,
      savings,
      pods: command.candidates.flatMap(({ reschedulable }) => reschedulable),
    })
  }
}
