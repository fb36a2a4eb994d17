import { type KubeObject, ownValue } from '@kerf/apis'
import type { GroupReader, ReaderTools, ReadGroup } from '@kerf/provider-contract'
import { asNumber, asObjects, asText, asTextMap, isLoose, type Loose, looseAt } from '@kerf/provider-kit/documents'
import { fieldConversion, largestSize, leastSize } from '@kerf/provider-kit/migration'

const ANNOTATION = 'cluster-autoscaler.kwok.nodegroup/'
const NAME_LABEL = 'kwok-nodegroup'
/** The assumed maximum size of a node group whose template has no annotation with the size. */
const MOST = 200

/** The label or annotation of a template with the name of its node group. */
interface Grouping {
  readonly label?: string
  readonly annotation?: string
}

const configMapTexts = (
  objects: readonly KubeObject[],
  key: string,
): readonly { readonly text: string; readonly at: string }[] =>
  objects.flatMap((object) => {
    const text = object.kind === 'ConfigMap' ? asText(looseAt(object, 'data', key)) : undefined
    return text === undefined ? [] : [{ text, at: `ConfigMap ${object.metadata.name}` }]
  })

/** Returns the label or annotation that the provider's configuration uses for node groups. */
const groupingIn = (configs: readonly unknown[]): Grouping => {
  for (const document of configs) {
    const label = asText(looseAt(document, 'nodegroups', 'fromNodeLabelKey'))
    const annotation = asText(looseAt(document, 'nodegroups', 'fromNodeAnnotationKey'))
    if (label !== undefined) return { label }
    if (annotation !== undefined) return { annotation }
  }
  return { label: NAME_LABEL }
}

/** Returns the templates in a text, by the name of their node group. Reports templates without a node group. */
const templatesByGroup = (
  documents: readonly unknown[],
  { label, annotation = '' }: Grouping,
  report: ReaderTools['report'],
): ReadonlyMap<string, readonly [Loose, ...Loose[]]> => {
  const nodes = documents
    .flatMap((document) =>
      looseAt(document, 'kind') === 'List'
        ? asObjects(looseAt(document, 'items'))
        : isLoose(document)
          ? [document]
          : [],
    )
    .filter((node) => node['kind'] === 'Node')
  const groups = new Map<string, readonly [Loose, ...Loose[]]>()
  for (const node of nodes) {
    const annotations = asTextMap(looseAt(node, 'metadata', 'annotations'))
    const labels = asTextMap(looseAt(node, 'metadata', 'labels'))
    const name =
      annotations[`${ANNOTATION}name`] ??
      (label === undefined ? ownValue(annotations, annotation) : ownValue(labels, label))
    if (name === undefined) {
      const key = label === undefined ? `annotation ${annotation}` : `label ${label}`
      report(
        fieldConversion(`template ${asText(looseAt(node, 'metadata', 'name')) ?? ''}`, 'Node', {
          because: `it has no ${key}, so it is in no group of Cluster Autoscaler`,
        }),
      )
      continue
    }
    const [first, ...others] = groups.get(name) ?? [node]
    groups.set(name, groups.has(name) ? [first, ...others, node] : [node])
  }
  return groups
}

/** Returns the node group with this name, as defined by its templates. */
const readGroup = (
  name: string,
  templates: readonly [Loose, ...Loose[]],
  at: string,
  { label }: Grouping,
  { groupOfNode }: ReaderTools,
): ReadGroup<never> => {
  const [first] = templates
  const annotations = asTextMap(looseAt(first, 'metadata', 'annotations'))
  const object = `KWOK node group ${name}`
  const min = asNumber(annotations[`${ANNOTATION}min-count`]) ?? 0
  const group = groupOfNode(first, {
    ...{ name, origin: 'KWOK template', at, min },
    max: asNumber(annotations[`${ANNOTATION}max-count`]) ?? MOST,
    desired: asNumber(annotations[`${ANNOTATION}desired-count`]) ?? min,
  })
  const least = leastSize(min)
  return {
    group: { ...group, nodeLabels: label === undefined ? {} : { [label]: name } },
    questions: [],
    conversions: [
      fieldConversion(object, 'max-count', largestSize),
      ...(least === undefined ? [] : [fieldConversion(object, 'min-count', least)]),
      ...Object.keys(group.labels).map((key) =>
        fieldConversion(object, `label ${key}`, { to: 'NodePool spec.template.metadata.labels' }),
      ),
      ...group.taints.map(({ key }) =>
        fieldConversion(object, `taint ${key}`, { to: 'NodePool spec.template.spec.taints' }),
      ),
      ...(templates.length === 1
        ? []
        : [
            fieldConversion(object, 'Node', {
              because: `of its ${templates.length} templates Cluster Autoscaler takes the first, and so does Kerf`,
            }),
          ]),
    ],
  }
}

/** Returns a reader for the ConfigMaps of Cluster Autoscaler's KWOK provider. */
export const groupReader = (tools: ReaderTools): GroupReader<never> => ({
  read: () => false,
  finish: (objects) => {
    const grouping = groupingIn(configMapTexts(objects, 'config').flatMap(({ text }) => tools.yaml(text).slice(0, 1)))
    const texts = configMapTexts(objects, 'templates')
    const read = texts.flatMap(({ text, at }) =>
      Array.from(templatesByGroup(tools.yaml(text), grouping, tools.report), ([name, templates]) =>
        readGroup(name, templates, at, grouping, tools),
      ),
    )
    return {
      groups: read.map(({ group }) => group),
      conversions: read.flatMap(({ conversions }) => conversions),
      questions: [],
      ...(texts.length === 0 || grouping.label === undefined ? {} : { groupLabels: [grouping.label] }),
    }
  },
})
