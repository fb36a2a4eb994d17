import { kinds } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { clientObject, isMadeByCluster } from '../manifests/client-object.ts'
import { type FileChoice, readsFiles } from '../manifests/file-options.ts'
import { buildKustomization } from '../manifests/kustomize.ts'
import { lastApplied } from '../manifests/last-applied.ts'
import type { Manifest } from '../manifests/manifest.ts'
import { readManifests } from '../manifests/read-manifests.ts'
import { validateManifests } from '../manifests/validate-manifests.ts'
import type { ValidationMode } from '../manifests/validation-option.ts'
import { vocabularyFor } from '../vocabulary.ts'
import { withoutHooks } from '../workloads/helm-hooks.ts'
import { quickstart } from './quickstart.ts'

/** The manifests that `up` applies, and notes about them for the user, one line each. */
export interface UpManifests {
  readonly manifests: readonly Manifest[]
  readonly notes: readonly string[]
}

/** Returns whether the object comes from another cluster and is of a kind that every cluster creates itself. */
const isOfOtherCluster = ({ object }: Manifest): boolean => object.metadata.uid !== undefined && isMadeByCluster(object)

const bringsPool = (manifests: readonly Manifest[]): boolean =>
  manifests.some(({ object }) => object.kind === 'NodePool' || object.kind === 'Provisioner')

/**
 * Returns the manifests in the named files, or the quickstart. Files in directories that are not manifests are skipped. Fields that the API
 * server of another cluster wrote are removed, and objects that a cluster creates itself are left out. If there are workloads but no
 * NodePool, the quickstart's NodePool is added, because otherwise nothing could be launched.
 */
export const manifestsFor = async (choice: FileChoice): Promise<UpManifests> => {
  if (!readsFiles(choice)) return { manifests: await quickstart(), notes: [] }
  const { filename, recursive = false, kustomize = [] } = choice
  const notes: string[] = []
  const warn = (line: string): unknown => notes.push(line)
  const found = [...(await readManifests(filename, { recursive, skipped: warn, repeated: 'keep' }))]
  for (const directory of kustomize) found.push(...(await buildKustomization(directory)))
  const { manifests: read, note } = withoutHooks(lastApplied(found, warn))
  if (note !== undefined) notes.push(note)
  const left = read.filter(isOfOtherCluster).length
  if (left > 0)
    notes.push(
      `${left === 1 ? '1 object is' : `${left} objects are`} ignored: this cluster creates its own Nodes, NodeClaims and owned pods`,
    )
  const manifests = read
    .filter((manifest) => !isOfOtherCluster(manifest))
    .map((manifest) => ({ ...manifest, object: clientObject(manifest.object) }))
  if (bringsPool(manifests)) return { manifests, notes }
  notes.push('the manifests contain no NodePool: using the one of the quickstart')
  return { manifests: [...(await quickstart('nodepool.yaml')), ...manifests], notes }
}

/**
 * Validates the manifests in the same way as `kerf plan`, and returns them without the objects that an API server would refuse.
 * @throws ManifestError
 */
export const checkManifests = (
  { manifests, notes }: UpManifests,
  types: readonly InstanceType[],
  validate: ValidationMode | undefined = 'warn',
): UpManifests => {
  const vocabulary = vocabularyFor(
    manifests.map(({ object }) => object),
    types,
  )
  const problems: string[] = []
  const warn = (line: string): unknown => problems.push(line)
  return { manifests: validateManifests(manifests, vocabulary, { validate, warn }), notes: [...notes, ...problems] }
}

/** Returns the namespaces that the manifests use but for which they contain no Namespace object. */
export const manifestNamespaces = (manifests: readonly Manifest[]): readonly string[] => {
  const made = new Set(
    manifests.flatMap(({ object }) => (object.kind === kinds.Namespace.kind ? [object.metadata.name] : [])),
  )
  const used = new Set(manifests.flatMap(({ object }) => object.metadata.namespace ?? []))
  return [...used].filter((name) => !made.has(name))
}
