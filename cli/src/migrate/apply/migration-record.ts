import { createHash } from 'node:crypto'
import { type KubeObject, kinds } from '@kerf/apis'
import { isNotFound, type KubeClient } from '@kerf/runtime'
import { CliError } from '../../cli-error.ts'
import type { MigrationPlan, ObjectRef } from '../plan/migration-plan.ts'

/** What a step changed, so that it can be undone. Written before the change is made. */
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
  /** How many steps are done. */
  readonly done: number
  readonly steps: readonly StepRecord[]
}

/** How far a migration is, as the cluster remembers it: a ConfigMap, so that anybody can go on after a crash. */
export interface MigrationRecord {
  /** Of the phases of the plan; another plan cannot go on where this one was. */
  readonly plan: string
  readonly phases: Readonly<Record<string, PhaseRecord>>
}

const RECORD = { name: 'kerf-migration', namespace: 'kube-system' } as const
const KEY = 'record.json'

/** What tells one plan from another: its groups and steps, not its words. */
export const planHash = ({ groups, phases }: MigrationPlan): string =>
  createHash('sha256')
    .update(JSON.stringify([groups.map(({ name }) => name), phases.map(({ steps }) => steps)]))
    .digest('hex')
    .slice(0, 16)

/** The record of the cluster. Undefined before the first phase, and after the last one was undone. */
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
      `ConfigMap ${RECORD.namespace}/${RECORD.name} cannot be read; it is not as kerf migrate wrote it. Undo what was done by hand and delete it`,
    )
  }
}

/** Writes the record; without any phase it is deleted. */
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
