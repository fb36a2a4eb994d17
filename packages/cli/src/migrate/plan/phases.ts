import type { KubeObject } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import type { HandWork } from '@kerf/provider-contract'
import { nameOfWorkload } from '../../doctor/workload.ts'
import type { PauseWorkload } from '../drafts/pause-pods.ts'
import type { WorkloadMove } from '../drafts/workload-moves.ts'
import type { CloudCommands } from './cloud-commands.ts'
import type { KeptGroup, ObjectRef, PlanGroup, PlanPhase, PlanStep } from './migration-plan.ts'

export const objectRef = ({ apiVersion, kind, metadata }: KubeObject): ObjectRef => ({
  apiVersion,
  kind,
  name: metadata.name,
  ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
})

/** Timeout of a rollout in which every pod waits for a new node. */
const ROLLOUT = '30m'
/**
 * Timeout for the removal of a drained group. A node becomes unneeded after ten minutes. If Cluster Autoscaler could not remove a node, it
 * tries again only after five more minutes (`docs/spec/coexistence.md#draining-a-group`).
 */
const GROUP_GONE = '15m'

const calm: PlanStep = { do: 'wait until calm', pendingFor: '2m', within: '15m' }

/**
 * Maximum share of one wave in the total cost of the moving workloads. During a wave, the old and the new nodes of its workloads may exist
 * at the same time. This maximum keeps the peak cost at or below 1.3 times the original cost.
 */
const WAVE = 0.12
/**
 * Rollout settings for a workload whose share is larger than `WAVE`. A tenth of its pods moves at a time, and these pods must be ready for
 * this many seconds before the next tenth starts.
 */
const SLOWLY = { minReadySeconds: 900, progressDeadlineSeconds: 7_200 } as const

const isSlow = ({ share, rollout }: WorkloadMove): boolean => share > WAVE && rollout.isGradual

/** Returns the patch for a slow move, and the patch that restores the workload's own rollout settings. */
const slowPatch = ({ object, patch, rollout }: WorkloadMove) => {
  const { spec } = patch as { readonly spec: Readonly<Record<string, unknown>> }
  const before = (object as KubeObject & { readonly spec?: Readonly<Record<string, unknown>> }).spec ?? {}
  const slow = {
    ...patch,
    spec: {
      ...spec,
      ...SLOWLY,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: '10%' } },
    },
  }
  const back = Object.fromEntries(Object.keys(SLOWLY).map((key) => [key, ownValue(before, key) ?? null]))
  return { slow, back: { spec: { ...back, ...rollout.after } } }
}

const moveSteps = (move: WorkloadMove): readonly PlanStep[] => {
  const object = objectRef({
    ...move.object,
    metadata: { ...move.object.metadata, namespace: move.workload.namespace },
  })
  if (isSlow(move)) {
    const { slow, back } = slowPatch(move)
    return [
      { do: 'patch', object, patch: slow },
      { do: 'roll out', object, within: '12h' },
      { do: 'patch', object, patch: back },
    ]
  }
  return [
    { do: 'patch', object, patch: move.patch },
    ...(['Deployment', 'StatefulSet'].includes(object.kind)
      ? [{ do: 'roll out', object, within: ROLLOUT } as const]
      : []),
    ...(Object.keys(move.rollout.after).length === 0
      ? []
      : [{ do: 'patch', object, patch: { spec: move.rollout.after } } as const]),
  ]
}

/**
 * Splits the moves into waves of limited cost. After each wave, a step waits until Cluster Autoscaler has removed the empty nodes.
 */
const inWaves = (moves: readonly WorkloadMove[]): readonly PlanStep[] => {
  const waves: WorkloadMove[][] = []
  let share = 0
  for (const move of moves) {
    const last = waves.at(-1)
    if (last === undefined || share + move.share > WAVE) {
      waves.push([move])
      share = move.share
    } else {
      last.push(move)
      share += move.share
    }
  }
  return waves.flatMap((wave) => [
    ...wave.flatMap(moveSteps),
    calm,
    { do: 'wait until given back', within: '90m' } as const,
  ])
}

/** The drafts and settings from which the phases are planned. */
export interface DraftedMigration {
  readonly hasBudgets: boolean
  readonly hasBuffers: boolean
  readonly moves: readonly WorkloadMove[]
  readonly pauses: readonly PauseWorkload[]
  readonly groups: readonly PlanGroup[]
  readonly kept: readonly KeptGroup[]
  readonly autoscaler: ObjectRef | undefined
  readonly folder: string
  /** The commands that the user must run in the groups' clouds. */
  readonly cloud: CloudCommands
  /** Commands that create the resources that Kerf needs in the cloud account. */
  readonly account?: HandWork
}

/** Returns the workload to move first: a stateless one with a small share, so that a problem does the least harm. */
const firstMove = (moves: readonly WorkloadMove[]): WorkloadMove | undefined =>
  moves
    .filter(({ isStateless, workload }) => isStateless && workload.replicas > 1)
    .toSorted((a, b) => a.share - b.share || (nameOfWorkload(a.workload) < nameOfWorkload(b.workload) ? -1 : 1))[0] ??
  moves[0]

const byNamespace = (moves: readonly WorkloadMove[]): readonly (readonly WorkloadMove[])[] => {
  const found = new Map<string, WorkloadMove[]>()
  for (const move of moves) found.set(move.workload.namespace, [...(found.get(move.workload.namespace) ?? []), move])
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, own]) => own)
}

const byHand = (work: readonly HandWork[]): readonly PlanStep[] =>
  work.length === 0
    ? []
    : [
        {
          do: 'by hand',
          commands: work.flatMap(({ commands }) => commands),
          back: work.flatMap(({ back }) => back),
        },
      ]

/** Plans the phases of `docs/spec/coexistence.md#migration-in-phases` for this cluster. */
export const planPhases = (draft: DraftedMigration): readonly PlanPhase[] => {
  const { moves, groups, folder, autoscaler } = draft
  const first = firstMove(moves)
  const rest = moves.filter((move) => move !== first)
  const clear = groups.filter(({ nodeLabels }) => Object.keys(nodeLabels).length > 0)
  const unclear = groups.filter(({ nodeLabels }) => Object.keys(nodeLabels).length === 0)
  return [
    {
      phase: 0,
      name: 'look',
      why: 'Problems that would cause failures later are found and corrected first.',
      goOnWhen: 'kerf doctor finds nothing critical',
      wayBack: 'the PodDisruptionBudgets are deleted',
      steps: [
        ...(draft.hasBudgets ? [{ do: 'apply', file: 'budgets.yaml' } as const] : []),
        { do: 'by hand', commands: ['kerf doctor'], back: [] },
      ],
    },
    {
      phase: 1,
      name: 'rehearse',
      why: 'The plan runs in a simulation of this cluster before it runs in the cluster itself.',
      goOnWhen: 'every pod is placed and the cost at the end is not above that at the start',
      wayBack: 'nothing was done',
      steps: [{ do: 'by hand', commands: [`kerf migrate rehearse ${folder}`], back: [] }],
    },
    {
      phase: 2,
      name: 'pools',
      why: `${draft.kept.length === 0 ? '' : `The node group ${draft.kept.map(({ name }) => name).join(', ')} gets a fixed size, so that Cluster Autoscaler cannot remove the nodes under the controllers. `}The NodePools exist, and their taint keeps every pod off them, so Kerf launches nothing yet.`,
      goOnWhen: 'each NodePool is Ready',
      wayBack: 'NodePools and node classes are deleted; no node was launched. Undo manual steps by hand',
      steps: [
        ...byHand(draft.account === undefined ? [] : [draft.account]),
        ...byHand(draft.kept.flatMap((group) => draft.cloud.withFixedSize(group) ?? [])),
        { do: 'apply', file: 'nodeclasses.yaml' },
        { do: 'apply', file: 'nodepools.yaml' },
      ],
    },
    {
      phase: 3,
      name: 'one workload',
      why: 'One stateless workload moves, and you watch it. The same patch sets maxUnavailable 0, because PodDisruptionBudgets do not protect pods during a rollout; the strategy is restored afterwards.',
      goOnWhen: 'two days have passed without problems',
      wayBack: 'the workload is restored, and rolls back to its node group',
      steps: first === undefined ? [] : inWaves([first]),
    },
    {
      phase: 4,
      name: 'by namespace',
      why: 'The other workloads move in waves, one namespace at a time, so that few nodes are paid for twice. A large workload moves a tenth at a time. The delay annotation ends double scale-up, so Cluster Autoscaler serves its own pods at full speed.',
      goOnWhen:
        'kerf doctor reports no scale-up by both autoscalers (COX-003) and no workload that both evicted (COX-004)',
      wayBack: 'the workloads are restored, and roll back to their node groups, which still exist',
      steps: byNamespace(rest).flatMap(inWaves),
    },
    {
      phase: 5,
      name: 'default',
      why: 'New workloads get nodes of Kerf too, from second NodePools without the taint. Removing the taint from the first NodePools would be drift and replace their nodes.',
      goOnWhen: 'a week has passed without problems, and you have compared its cost',
      wayBack: 'the second pools are deleted, and their nodes are drained',
      steps: [
        { do: 'apply', file: 'nodepools-open.yaml' },
        ...(draft.hasBuffers ? [{ do: 'apply', file: 'buffers.yaml' } as const] : []),
        ...draft.pauses.flatMap(({ workload }): readonly PlanStep[] =>
          workload.object === undefined
            ? []
            : [
                {
                  do: 'patch',
                  object: objectRef({
                    ...workload.object,
                    metadata: { ...workload.object.metadata, namespace: workload.namespace },
                  }),
                  patch: { spec: { replicas: 0 } },
                },
              ],
        ),
      ],
    },
    {
      phase: 6,
      name: 'drain groups',
      why: `Each group${draft.kept.length === 0 ? '' : ' except those that are kept'} is cordoned and drained within the PodDisruptionBudgets. Cluster Autoscaler removes its nodes in up to 15 minutes.`,
      goOnWhen: 'no node of the groups is left above its minimum, and no pod is pending for over two minutes',
      wayBack: 'the remaining nodes are uncordoned; Cluster Autoscaler launches the others again when pods need them',
      steps: [
        ...byHand(groups.flatMap((group) => draft.cloud.withoutMinimum(group) ?? [])),
        ...clear.flatMap((group): readonly PlanStep[] => [
          { do: 'cordon', group: group.name },
          { do: 'drain', group: group.name, within: '60m' },
          calm,
          { do: 'wait until gone', group: group.name, within: GROUP_GONE },
        ]),
        ...(unclear.length === 0
          ? []
          : [
              {
                do: 'by hand',
                commands: unclear.map(
                  ({ name }) =>
                    `kubectl drain NODE --ignore-daemonsets --delete-emptydir-data    # each node of ${name}`,
                ),
                back: ['kubectl uncordon NODE'],
              } as const,
            ]),
      ],
    },
    {
      phase: 7,
      name: 'Cluster Autoscaler off',
      why: 'Cluster Autoscaler has nothing left to do. Its Deployment stays, so that you can go back by setting its replicas.',
      goOnWhen: 'two weeks have passed without problems',
      wayBack: 'its replicas are restored',
      steps: autoscaler === undefined ? [] : [{ do: 'patch', object: autoscaler, patch: { spec: { replicas: 0 } } }],
    },
    {
      phase: 8,
      name: 'clean up',
      why: 'Everything that is no longer used is removed. From here on, you can go back only by creating the groups again.',
      goOnWhen: 'it is done',
      wayBack: 'the node groups are created again from their files',
      steps: byHand(groups.flatMap((group) => draft.cloud.deleted(group) ?? [])),
    },
  ]
}
