import type { KubeObject } from '@kerf/apis'
import { parseAllDocuments } from 'yaml'
import {
  type DraftOptions,
  draftMigration,
  type MigrationFolder,
} from '../../../packages/cli/src/migrate/draft-migration.ts'
import { readSources } from '../../../packages/cli/src/migrate/groups/read-sources.ts'
import type { SetUp } from './set-up.ts'

const NOW = Date.parse('2026-08-22T09:00:30Z')

export const draftSetUp = async ({ documents }: SetUp, variant: DraftOptions['variant']): Promise<MigrationFolder> =>
  draftMigration(
    await readSources(documents.map((value) => ({ value, file: 'in' }))),
    { outputDir: 'out', variant, clusterName: 'shop', nodeRole: 'nodes' },
    NOW,
  )

type Json = Readonly<Record<string, unknown>>
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Applies a JSON merge patch (RFC 7396) to a document. */
const merged = (target: unknown, patch: unknown): unknown => {
  if (!isJson(patch)) return patch
  const result = new Map(Object.entries(isJson(target) ? target : {}))
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key)
    else result.set(key, merged(result.get(key), value))
  }
  return Object.fromEntries(result)
}

/** Returns every object that the user applies from the written folder, and every workload after its patches. */
export const writtenObjects = ({ documents }: SetUp, { files, plan }: MigrationFolder): readonly KubeObject[] => {
  const inFiles = [...files]
    .filter(([name]) => /^(nodeclasses|nodepools.*|budgets|buffers)\.yaml$/.test(name))
    .flatMap(([, text]) => parseAllDocuments(text).map((document) => document.toJS() as KubeObject | null))
    .filter((object) => object !== null)
  const steps = plan.phases.flatMap(({ steps: all }) => all)
  const patched = steps.flatMap((step) => {
    if (step.do !== 'patch') return []
    const object = documents
      .filter(isJson)
      .find(
        ({ kind, metadata }) => kind === step.object.kind && isJson(metadata) && metadata['name'] === step.object.name,
      )
    return object === undefined ? [] : [merged(object, step.patch) as KubeObject]
  })
  return [...inFiles, ...patched]
}
