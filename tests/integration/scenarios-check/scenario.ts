import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { KubeObject } from '@kerf/apis'
import { loadAll } from 'js-yaml'
import type { CatalogueEntry, PlanDocument } from './documents.ts'
import { createHarness, type Harness } from './harness.ts'

const folder = fileURLToPath(new URL('../../scenarios/', import.meta.url))

/** A plan that was recorded from upstream, with the range of its random choices. */
export interface ExpectedPlan extends PlanDocument {
  readonly observed: {
    readonly runs: number
    readonly nodeClaims: readonly [number, number]
    readonly hourlyCost: readonly [number, number]
    readonly unschedulable: readonly [number, number]
    readonly meanHourlyCost?: number
  }
}

export interface Scenario {
  readonly name: string
  /** The paths of the scenario's files, for the program under test. */
  readonly clusterFile: string
  readonly catalogueFile: string
  readonly expected: ExpectedPlan
  /** Returns the cluster of the scenario. Each call parses the files again, with the validator's own parser. */
  harness(): Harness
}

export interface BestKnown {
  readonly pods: number
  readonly upstreamCost: number
  readonly bestKnownValidCost: number
  readonly lowerBound: number
  readonly policyIgnored: boolean
}

const read = (file: string): string => {
  const bytes = readFileSync(file)
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}

const isObject = (document: unknown): document is KubeObject =>
  typeof document === 'object' && document !== null && 'kind' in document

const present = (name: string, file: string): string => {
  const plain = join(folder, name, file)
  return existsSync(plain) ? plain : `${plain}.gz`
}

/** Returns all scenarios, sorted by name. */
export const scenarios = (): readonly Scenario[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((name) => {
      const clusterFile = present(name, 'cluster.yaml')
      const catalogueFile = present(name, 'instance-types.json')
      return {
        name,
        clusterFile,
        catalogueFile,
        expected: JSON.parse(read(join(folder, name, 'expected.json'))) as ExpectedPlan,
        harness: () => {
          const documents: readonly unknown[] = loadAll(read(clusterFile))
          return createHarness(documents.filter(isObject), JSON.parse(read(catalogueFile)) as readonly CatalogueEntry[])
        },
      }
    })

export const bestKnown = (): Readonly<Record<string, BestKnown>> =>
  JSON.parse(read(join(folder, 'best-known.json'))) as Readonly<Record<string, BestKnown>>
