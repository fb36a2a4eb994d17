import { plainText } from '../plain-text.ts'
import {
  convertRequirements,
  convertTaints,
  defaultRequirements,
  type PoolConversion,
  templateLabels,
} from './convert-template.ts'
import { type FieldReporter, isRecord, type Json, recordOrEmpty } from './field-reporter.ts'
import { renamedAnnotations } from './rename-keys.ts'

/** A converted pool, and the settings that v1 has moved from the pool to the node class. */
export interface ConvertedPool {
  readonly spec: Json
  readonly className: string
  /** The kubelet settings for `spec.kubelet` of the node class. */
  readonly kubelet?: Json
  /** The path of the kubelet settings in the old object. */
  readonly kubeletPath: string
}

const RESERVED = ['kubeReserved', 'systemReserved'] as const

/** Converts quantities to text. Old versions also allowed numbers, which v1 does not. */
const amountTexts = (kubelet: Json): Json => {
  const texts = RESERVED.filter((field) => isRecord(kubelet[field])).map((field) => [
    field,
    Object.fromEntries(Object.entries(recordOrEmpty(kubelet[field])).map(([key, value]) => [key, plainText(value)])),
  ])
  return { ...kubelet, ...Object.fromEntries(texts) }
}

/** Converts the kubelet settings of an old pool for a node class, and records which settings v1 has removed. */
export const kubeletSettings = (value: unknown, path: string, reporter: FieldReporter): { readonly kubelet?: Json } => {
  if (!isRecord(value)) return {}
  const { containerRuntime, ...kubelet } = value
  if (containerRuntime !== undefined)
    reporter.record(`${path}.containerRuntime`, 'gone', undefined, 'nodes run containerd only')
  return Object.keys(kubelet).length === 0 ? {} : { kubelet: amountTexts(kubelet) }
}

const templateOf = (
  source: { readonly labels: unknown; readonly annotations: unknown; readonly spec: Json },
  paths: { readonly metadata: string; readonly spec: string },
  conversion: PoolConversion,
) => {
  const { reporter, to, names } = conversion
  const labels = templateLabels(source.labels, `${paths.metadata}.labels`, conversion)
  const annotations = renamedAnnotations(recordOrEmpty(source.annotations), names, (key, now, note) =>
    reporter.record(
      `${paths.metadata}.annotations.${key}`,
      now === undefined ? 'gone' : 'renamed',
      now === undefined ? undefined : `${to} spec.template.metadata.annotations ${now}`,
      note,
    ),
  )
  if (Object.keys(annotations).length > 0)
    reporter.record(`${paths.metadata}.annotations`, 'renamed', `${to} spec.template.metadata.annotations`)
  const taints = Object.fromEntries(
    (['taints', 'startupTaints'] as const)
      .filter((field) => source.spec[field] !== undefined)
      .map((field) => {
        reporter.record(`${paths.spec}.${field}`, 'renamed', `${to} spec.template.spec.${field}`)
        return [field, convertTaints(source.spec[field])]
      }),
  )
  const metadata = {
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  }
  return { labels, metadata: Object.keys(metadata).length === 0 ? {} : { metadata }, taints }
}

const weightOf = (spec: Json, reporter: FieldReporter, to: string): Json => {
  if (spec['weight'] === undefined) return {}
  reporter.record('spec.weight', 'kept', `${to} spec.weight`)
  return { weight: spec['weight'] }
}

const oldDisruption = (spec: Json, reporter: FieldReporter, to: string): Json => {
  const { ttlSecondsAfterEmpty: ttl } = spec
  const target = `${to} spec.disruption`
  const consolidation = recordOrEmpty(spec['consolidation'])
  if (consolidation['enabled'] === true) {
    reporter.record(
      'spec.consolidation.enabled',
      'changed',
      target,
      'consolidateAfter 0s keeps the old behaviour; v1 has a default budget of 10 % of the nodes',
    )
    if (ttl !== undefined)
      reporter.record('spec.ttlSecondsAfterEmpty', 'gone', undefined, 'consolidation also removes empty nodes')
    return { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' }
  }
  if (consolidation['enabled'] !== undefined)
    reporter.record('spec.consolidation.enabled', 'renamed', target, 'Kerf removes only empty nodes')
  if (ttl !== undefined) {
    reporter.record('spec.ttlSecondsAfterEmpty', 'renamed', `${target}.consolidateAfter`)
    return { consolidationPolicy: 'WhenEmpty', consolidateAfter: `${plainText(ttl)}s` }
  }
  reporter.record(
    'spec.consolidation',
    'added',
    target,
    'the old default was not to remove nodes: consolidateAfter Never',
  )
  return { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never' }
}

const FORCEFUL =
  'nodes of that age are removed without waiting for a replacement, and a change of the value makes nodes drift'

/** Converts a v1alpha5 Provisioner to a v1 NodePool. The NodePool refers to a node class of the conversion's kind. */
export const convertProvisioner = (name: string, spec: Json, conversion: PoolConversion): ConvertedPool => {
  const { reporter, to, classKind } = conversion
  const { labels, metadata, taints } = templateOf(
    { labels: spec['labels'], annotations: spec['annotations'], spec },
    { metadata: 'spec', spec: 'spec' },
    conversion,
  )
  const said = convertRequirements(spec['requirements'], 'spec.requirements', conversion)
  const requirements = [...said, ...defaultRequirements(said, labels, conversion)]
  const reference = recordOrEmpty(spec['providerRef'])
  const className = typeof reference['name'] === 'string' ? reference['name'] : name
  if (isRecord(spec['providerRef']))
    reporter.record('spec.providerRef', 'renamed', `${to} spec.template.spec.nodeClassRef`)
  const limits = recordOrEmpty(recordOrEmpty(spec['limits'])['resources'])
  for (const resource of Object.keys(limits))
    reporter.record(`spec.limits.resources.${resource}`, 'renamed', `${to} spec.limits.${resource}`)
  const ttl = spec['ttlSecondsUntilExpired']
  const expireAfter = ttl === undefined ? 'Never' : `${plainText(ttl)}s`
  reporter.record(
    'spec.ttlSecondsUntilExpired',
    ttl === undefined ? 'added' : 'changed',
    `${to} spec.template.spec.expireAfter`,
    ttl === undefined ? 'the old default was Never; the default of v1 is 720h' : FORCEFUL,
  )
  return {
    className,
    ...kubeletSettings(spec['kubeletConfiguration'], 'spec.kubeletConfiguration', reporter),
    kubeletPath: 'spec.kubeletConfiguration',
    spec: {
      template: {
        ...metadata,
        spec: {
          ...taints,
          requirements,
          nodeClassRef: { group: classKind.group, kind: classKind.kind, name: className },
          expireAfter,
        },
      },
      disruption: oldDisruption(spec, reporter, to),
      ...(Object.keys(limits).length === 0 ? {} : { limits }),
      ...weightOf(spec, reporter, to),
    },
  }
}

const betaDisruption = (disruption: Json, reporter: FieldReporter, to: string): Json => {
  const { consolidationPolicy: policy, consolidateAfter, budgets } = disruption
  const target = `${to} spec.disruption`
  const isWide = policy === undefined || policy === 'WhenUnderutilized'
  if (policy !== undefined)
    reporter.record('spec.disruption.consolidationPolicy', isWide ? 'renamed' : 'kept', `${target}.consolidationPolicy`)
  if (consolidateAfter !== undefined)
    reporter.record('spec.disruption.consolidateAfter', 'kept', `${target}.consolidateAfter`)
  else
    reporter.record(
      'spec.disruption.consolidateAfter',
      'added',
      `${target}.consolidateAfter`,
      '0s keeps the old behaviour',
    )
  if (budgets !== undefined) reporter.record('spec.disruption.budgets', 'kept', `${target}.budgets`)
  return {
    consolidationPolicy: isWide ? 'WhenEmptyOrUnderutilized' : policy,
    consolidateAfter: consolidateAfter ?? '0s',
    ...(budgets === undefined ? {} : { budgets }),
  }
}

/** Converts a v1beta1 NodePool to v1. */
export const convertBetaPool = (name: string, spec: Json, conversion: PoolConversion): ConvertedPool => {
  const { reporter, to, templates } = conversion
  const olderKind = templates.nodeClass.kind
  const template = recordOrEmpty(spec['template'])
  const inner = recordOrEmpty(template['spec'])
  const outer = recordOrEmpty(template['metadata'])
  const { metadata, taints } = templateOf(
    { labels: outer['labels'], annotations: outer['annotations'], spec: inner },
    { metadata: 'spec.template.metadata', spec: 'spec.template.spec' },
    conversion,
  )
  const requirements = convertRequirements(inner['requirements'], 'spec.template.spec.requirements', conversion)
  const reference = recordOrEmpty(inner['nodeClassRef'])
  const className = typeof reference['name'] === 'string' ? reference['name'] : name
  const group = typeof reference['apiVersion'] === 'string' ? reference['apiVersion'].split('/')[0] : olderKind.group
  reporter.record(
    'spec.template.spec.nodeClassRef',
    'renamed',
    `${to} spec.template.spec.nodeClassRef`,
    'group instead of apiVersion; group, kind and name are all required',
  )
  const disruption = recordOrEmpty(spec['disruption'])
  const { expireAfter } = disruption
  if (expireAfter !== undefined)
    reporter.record('spec.disruption.expireAfter', 'changed', `${to} spec.template.spec.expireAfter`, FORCEFUL)
  const limits = recordOrEmpty(spec['limits'])
  for (const resource of Object.keys(limits))
    reporter.record(`spec.limits.${resource}`, 'kept', `${to} spec.limits.${resource}`)
  return {
    className,
    ...kubeletSettings(inner['kubelet'], 'spec.template.spec.kubelet', reporter),
    kubeletPath: 'spec.template.spec.kubelet',
    spec: {
      template: {
        ...metadata,
        spec: {
          ...taints,
          requirements,
          nodeClassRef: { group, kind: reference['kind'] ?? olderKind.kind, name: className },
          ...(expireAfter === undefined ? {} : { expireAfter }),
        },
      },
      disruption: betaDisruption(disruption, reporter, to),
      ...(Object.keys(limits).length === 0 ? {} : { limits }),
      ...weightOf(spec, reporter, to),
    },
  }
}
