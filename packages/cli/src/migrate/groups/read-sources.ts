import { type KubeObject, ownValue } from '@kerf/apis'
import type {
  FieldConversion,
  GroupReader,
  ManagedAutoscaler,
  Question,
  ReadGroups,
  SourceGroup,
} from '@kerf/provider-contract'
import { asObjects, asText, isLoose, type Loose, looseAt } from '@kerf/provider-kit/documents'
import { fieldConversion } from '@kerf/provider-kit/migration'
import { missingField } from '../../doctor/whole-object.ts'
import { objectIdentity } from '../../manifests/last-applied.ts'
import type { FoundDocument } from '../../manifests/read-documents.ts'
import { yamlDocuments } from '../../manifests/yaml-documents.ts'
import { YamlError } from '../../manifests/yaml-error.ts'
import { groupOfNode } from './node-group.ts'
import { type ProviderSource, providerSources } from './provider-sources.ts'
import { unknownDocument } from './source-texts.ts'
import { terraformResources } from './terraform-state.ts'

/** The groups, objects and settings that the files contain. */
export interface Sources {
  readonly groups: readonly SourceGroup[]
  /** How each field of the groups was converted, or why it was not. */
  readonly groupConversions: readonly FieldConversion[]
  readonly questions: readonly Question[]
  readonly objects: readonly KubeObject[]
  /** The documents that cannot be used, with the reasons. */
  readonly conversions: readonly FieldConversion[]
  /** The cluster name in an export, if there is one. */
  readonly clusterName?: string
  /** Settings of a Cluster Autoscaler that the cloud runs. */
  readonly managedAutoscaler?: ManagedAutoscaler
  /** Labels that identify the group of a node, in addition to the well-known labels. */
  readonly groupLabels: readonly string[]
  readonly sources: readonly ProviderSource[]
}

interface Gathered {
  readonly sources: readonly ProviderSource[]
  readonly readers: readonly GroupReader[]
  /** Objects by identity. If an object occurs several times, the last one applies. */
  readonly objects: Map<string, { readonly object: KubeObject; readonly at: string }>
  readonly conversions: FieldConversion[]
}

const isKubeObject = (document: Loose): boolean =>
  typeof document['apiVersion'] === 'string' && typeof document['kind'] === 'string'

/** Adds an object of the cluster. If a required field is missing, reports the object instead. */
const addObject = (document: Loose, at: string, into: Gathered): void => {
  const kind = String(document['kind'])
  const name = asText(looseAt(document, 'metadata', 'name'))
  if (name === undefined) {
    into.conversions.push(fieldConversion(at, kind, { because: 'it has no metadata.name' }))
    return
  }
  const object = document as unknown as KubeObject
  const missing = missingField(object)
  if (missing !== undefined) {
    into.conversions.push(
      fieldConversion(`${kind} ${name}`, missing, {
        because: `it is missing: the export in ${at} is cut off or of another kind`,
      }),
    )
    return
  }
  const identity = objectIdentity(object) ?? name
  const earlier = into.objects.get(identity)
  if (earlier !== undefined)
    into.conversions.push(
      fieldConversion(`${kind} ${name}`, 'the whole object', {
        because: `${earlier.at} and ${at} both have it: the last one applies, as with kubectl apply`,
      }),
    )
  into.objects.set(identity, { object, at })
}

/** Passes the resources of a Terraform state to every migration source. Returns false if the document is not a Terraform state. */
const addTerraform = (document: Loose, at: string, into: Gathered): boolean => {
  const resources = terraformResources(document)
  if (resources === undefined) return false
  const used = new Set(into.readers.flatMap((reader) => [...(reader.readResources?.(resources, at) ?? [])]))
  const others = new Map<string, number>()
  for (const resource of resources)
    if (!used.has(resource)) others.set(resource.type, (others.get(resource.type) ?? 0) + 1)
  for (const [type, count] of others) {
    const because =
      into.sources
        .map(({ unreadResources = {} }) => ownValue(unreadResources, type))
        .find((why) => why !== undefined) ?? 'this type of resource says nothing about node groups'
    into.conversions.push(fieldConversion(at, `${count} ${type}`, { because }))
  }
  return true
}

const addDocument = (value: unknown, at: string, into: Gathered): void => {
  if (Array.isArray(value)) {
    for (const each of value) addDocument(each, at, into)
    return
  }
  if (!isLoose(value)) {
    into.conversions.push(fieldConversion(at, 'document', { because: 'it is not an object' }))
    return
  }
  const { kind } = value
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(value['items'])) {
    const [apiVersion, of] = [value['apiVersion'], kind.slice(0, -4)]
    for (const item of asObjects(value['items']))
      addDocument(of === '' ? item : { apiVersion, kind: of, ...item }, at, into)
  } else if (isLoose(value['recording']) && Array.isArray(value['objects']))
    for (const each of asObjects(value['objects'])) addDocument(each, at, into)
  else if (into.readers.some((reader) => reader.read(value, at))) return
  else if (isKubeObject(value)) addObject(value, at, into)
  else if (!addTerraform(value, at, into))
    into.conversions.push(fieldConversion(at, Object.keys(value).slice(0, 3).join(', '), { because: unknownDocument }))
}

const yamlValues = (text: string): readonly unknown[] => {
  try {
    return yamlDocuments(text).map(({ value }) => value)
  } catch (error) {
    if (error instanceof YamlError) return []
    throw error
  }
}

/**
 * Returns the groups with the name of their provider. If another document already describes a group, the group is reported and left
 * out.
 */
const withProvider = (
  read: readonly (ReadGroups & { readonly provider: string })[],
): { readonly groups: readonly SourceGroup[]; readonly conversions: readonly FieldConversion[] } => {
  const groups = new Map<string, SourceGroup>()
  const conversions: FieldConversion[] = []
  for (const { provider, ...each } of read) {
    conversions.push(...each.conversions)
    for (const group of each.groups) {
      const before = groups.get(group.name)
      if (before === undefined) groups.set(group.name, { ...group, provider })
      else
        conversions.push(
          fieldConversion(`${group.origin} ${group.name}`, group.at, {
            because: `it is described in ${before.at} already`,
          }),
        )
    }
  }
  return { groups: [...groups.values()], conversions }
}

/**
 * Reads the node groups and the objects of the cluster from documents. Reports every other document with the reason. `given` are
 * the migration sources to use; the default is those of all providers.
 *
 * @throws CliError for exports of a cloud whose node groups are not supported
 */
export const readSources = async (
  documents: readonly FoundDocument[],
  given?: readonly ProviderSource[],
): Promise<Sources> => {
  const sources = given ?? (await providerSources())
  const conversions: FieldConversion[] = []
  const tools = {
    report: (conversion: FieldConversion) => conversions.push(conversion),
    yaml: yamlValues,
    groupOfNode: groupOfNode(sources),
  }
  const readers = sources.map((source) => source.reader(tools))
  const into: Gathered = { sources, readers, objects: new Map(), conversions }
  for (const { value, file, line } of documents) addDocument(value, line === undefined ? file : `${file}:${line}`, into)
  const objects = Array.from(into.objects.values(), ({ object }) => object)
  const read = sources.flatMap(({ provider }, index) => {
    const found = readers[index]?.finish(objects)
    return found === undefined ? [] : [{ provider, ...found }]
  })
  const { groups, conversions: groupConversions } = withProvider(read)
  const clusterName = read.map((each) => each.clusterName).find((each) => each !== undefined)
  const managedAutoscaler = read.map(({ autoscaler }) => autoscaler).find((each) => each !== undefined)
  return {
    ...{ groups, groupConversions, objects, conversions, sources },
    questions: read.flatMap(({ questions }) => questions),
    groupLabels: read.flatMap((each) => each.groupLabels ?? []),
    ...(clusterName === undefined ? {} : { clusterName }),
    ...(managedAutoscaler === undefined ? {} : { managedAutoscaler }),
  }
}
