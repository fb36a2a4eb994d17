import { kinds, labels, type Node, ownValue, type Pod } from '@kerf/apis'
import { table, terminalWidth } from '@kerf/provider-kit/terminal'
import type { KubeClient } from '@kerf/runtime'
import { connect } from '../../cluster/connect.ts'
import type { PlanStreams } from '../../plan/run-plan.ts'
import type { MigrationPlan, PlanGroup } from '../plan/migration-plan.ts'
import { readPlan } from '../plan/read-plan.ts'
import { type MigrationRecord, planHash, readRecord } from './migration-record.ts'

export interface StatusOptions {
  readonly output: 'table' | 'json'
  readonly kubeconfig?: string
  readonly context?: string
}

/** The progress of a migration, with the nodes of both autoscalers and the pending pods. */
export interface MigrationStatus {
  /** True if the record in the cluster belongs to another plan. */
  readonly isOtherPlan: boolean
  readonly phases: readonly {
    readonly phase: number
    readonly name: string
    readonly state: string
    readonly done: number
    readonly steps: number
  }[]
  readonly groups: readonly {
    readonly group: string
    readonly pool: string
    readonly nodes: number
    readonly poolNodes: number
  }[]
  readonly pendingPods: number
}

const isOf = ({ nodeLabels }: PlanGroup, { metadata }: Node): boolean => {
  const entries = Object.entries(nodeLabels)
  return (
    entries.length > 0 &&
    metadata.labels?.[labels.nodePool] === undefined &&
    entries.every(([key, value]) => ownValue(metadata.labels, key) === value)
  )
}

const isPending = ({ spec, status }: Pod): boolean => (spec.nodeName ?? '') === '' && status?.phase === 'Pending'

const planStatus = (
  plan: MigrationPlan,
  record: MigrationRecord | undefined,
  nodes: readonly Node[],
  pods: readonly Pod[],
): MigrationStatus => ({
  isOtherPlan: record !== undefined && record.plan !== planHash(plan),
  phases: plan.phases.map(({ phase, name, steps }) => {
    const own = record?.phases[phase]
    return { phase, name, state: own?.state ?? 'not begun', done: own?.done ?? 0, steps: steps.length }
  }),
  groups: plan.groups.map((group) => ({
    group: group.name,
    pool: group.pool,
    nodes: nodes.filter((node) => isOf(group, node)).length,
    poolNodes: nodes.filter(({ metadata }) =>
      [group.pool, `${group.pool}-open`].includes(metadata.labels?.[labels.nodePool] ?? ''),
    ).length,
  })),
  pendingPods: pods.filter(isPending).length,
})

/** Reads the progress of the migration. Changes nothing. */
const migrationStatus = async (client: KubeClient, plan: MigrationPlan): Promise<MigrationStatus> => {
  const record = await readRecord(client)
  const [nodes, pods] = [(await client.list(kinds.Node)).items, (await client.list(kinds.Pod)).items]
  return planStatus(plan, record, nodes, pods)
}

const statusText = ({ isOtherPlan, phases, groups, pendingPods }: MigrationStatus, width: number): string =>
  [
    ...(isOtherPlan
      ? ['The cluster is in the middle of another plan: this folder is not the one that was applied.', '']
      : []),
    ...table(
      phases,
      [
        { title: 'PHASE', value: ({ phase, name }) => `${phase} ${name}` },
        { title: 'STATE', value: ({ state }) => state },
        { title: 'STEPS', value: ({ done, steps }) => `${done}/${steps}`, align: 'right' },
      ],
      width,
    ),
    '',
    ...table(
      groups,
      [
        { title: 'NODE GROUP', value: ({ group }) => group },
        { title: 'NODES', value: ({ nodes }) => String(nodes), align: 'right' },
        { title: 'NODEPOOL', value: ({ pool }) => pool },
        { title: 'NODES', value: ({ poolNodes }) => String(poolNodes), align: 'right' },
      ],
      width,
    ),
    '',
    `${pendingPods} pods are pending`,
    '',
  ].join('\n')

/** Runs `kerf migrate status`. */
export const runMigrationStatus = async (
  folder: string,
  options: StatusOptions,
  streams: PlanStreams,
): Promise<void> => {
  const { plan } = await readPlan(folder)
  const { client } = connect({ env: streams.env, kubeconfig: options.kubeconfig, context: options.context })
  try {
    const status = await migrationStatus(client, plan)
    streams.stdout.write(
      options.output === 'json'
        ? `${JSON.stringify(status, null, 2)}\n`
        : statusText(status, terminalWidth(streams.stdout)),
    )
  } finally {
    await client.close()
  }
}
