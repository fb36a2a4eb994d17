import { createHash } from 'node:crypto'
import { type KubeObject, kinds } from '@kerf/apis'
import { CliError } from '@kerf/provider-kit/command-line'
import { isNotFound, type KubeClient } from '@kerf/runtime'
import type { MigrationPlan, ObjectRef } from '../plan/migration-plan.ts'

/** The values that a step is about to change. They are recorded before the step changes anything, so that the step can be undone. */
export type StepRecord =
  | {
      readonly step: number
      readonly kind: 'patched'
      readonly object: ObjectRef
      readonly back: Readonly<Record<string, unknown>>
    }
  | {
      readonly step: number
      readonly kind: 'applied'
      readonly objects: readonly { readonly object: ObjectRef; readonly before?: KubeObject }[]
    }
  | { readonly step: number; readonly kind: 'cordoned'; readonly nodes: readonly string[] }

export interface PhaseRecord {
  readonly state: 'running' | 'done' | 'undoing'
  /** Number of steps that are done. */
  readonly done: number
  readonly steps: readonly StepRecord[]
}

/** The progress of a migration. It is stored in a ConfigMap of the cluster, so that anyone can continue after a crash. */
export interface MigrationRecord {
  /** Hash of the plan, from `planHash`. A different plan cannot continue this migration. */
  readonly plan: string
  readonly phases: Readonly<Record<string, PhaseRecord>>
}

const RECORD = { name: 'kerf-migration', namespace: 'kube-system' } as const
const KEY = 'record.json'

/** Returns a hash of the plan's groups and steps. The explanatory text of the plan does not affect the hash. */
export const planHash = ({ groups, phases }: MigrationPlan): string =>
  createHash('sha256')
    .update(JSON.stringify([groups.map(({ name }) => name), phases.map(({ steps }) => steps)]))
    .digest('hex')
    .slice(0, 16)

/** Reads the record from the cluster. Returns undefined if no phase has begun, or if the last remaining phase was undone. */
export const readRecord = async (client: KubeClient): Promise<MigrationRecord | undefined> => {
  const found = await client.get(kinds.ConfigMap, RECORD).catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })
  const text = found?.data?.[KEY]
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as MigrationRecord
  } catch {
    throw new CliError(
      `ConfigMap ${RECORD.namespace}/${RECORD.name} is not in the form that kerf migrate writes. Undo the phases by hand, and delete the ConfigMap`,
    )
  }
}

/** Writes the record. If the record has no phases, deletes the ConfigMap. */
export const writeRecord = async (client: KubeClient, record: MigrationRecord): Promise<void> => {
  if (Object.keys(record.phases).length === 0) {
    await client.delete(kinds.ConfigMap, RECORD).catch((error: unknown) => {
      if (!isNotFound(error)) throw error
    })
    return
  }
  const configMap: KubeObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...RECORD },
    ...{ data: { [KEY]: JSON.stringify(record) } },
  }
  await client.patch(
    kinds.ConfigMap,
    RECORD,
    { type: 'apply', body: configMap, force: true },
    { fieldManager: 'kerf-migrate' },
  )
}
