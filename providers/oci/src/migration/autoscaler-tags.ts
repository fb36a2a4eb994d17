import type { Taint } from '@kerf/apis'
import { asText, type Loose } from '@kerf/provider-kit/documents'
import { type FieldRule, isEffect, optionRule } from '@kerf/provider-kit/migration'

const PREFIX = 'cluster-autoscaler/'
const TEMPLATE = `${PREFIX}node-template/`

/** The properties of a pool's nodes that its free-form tags tell Cluster Autoscaler. */
export interface AutoscalerTags {
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  readonly options: Readonly<Record<string, string>>
  readonly rules: readonly { readonly tag: string; readonly rule: FieldRule }[]
}

/** Returns the name and the value in a tag. Oracle Cloud allows few characters in keys, so the value may have the form `NAME=VALUE`. */
const named = (name: string, value: string): readonly [name: string, value: string] => {
  const at = value.indexOf('=')
  return at > 0 ? [value.slice(0, at), value.slice(at + 1)] : [name, value]
}

/** Parses a taint such as `key=value:NoSchedule` or `key:NoSchedule`, the format of `kubectl taint`. */
export const parseTaint = (text: string): Taint | undefined => {
  const [, key = '', , value = '', effect] = /^([^=:]+)(=([^:]*))?:(\w+)$/.exec(text) ?? []
  return key === '' || !isEffect(effect) ? undefined : { key, ...(value === '' ? {} : { value }), effect }
}

/** Reads the free-form tags of a node pool. Ignores tags that Cluster Autoscaler does not use. */
export const readAutoscalerTags = (tags: Loose): AutoscalerTags => {
  const labels = new Map<string, string>()
  const options = new Map<string, string>()
  const taints: Taint[] = []
  const rules: AutoscalerTags['rules'][number][] = []
  for (const [tag, raw] of Object.entries(tags)) {
    const text = asText(raw) ?? ''
    const [, sort, own = ''] =
      new RegExp(`^${TEMPLATE}(label|taint|resources|autoscaling-options)/(.+)$`, 's').exec(tag) ?? []
    const [name, value] = sort === 'autoscaling-options' ? [own, text] : named(own, text)
    const taint = sort === 'taint' ? parseTaint(`${name}=${value}`) : undefined
    if (sort === 'label') labels.set(name, value)
    if (taint !== undefined) taints.push(taint)
    if (sort === 'autoscaling-options') options.set(name, value)
    rules.push({ tag, rule: tagRule(tag, sort, name, value, taint) })
  }
  return { labels: Object.fromEntries(labels), taints, options: Object.fromEntries(options), rules }
}

const tagRule = (
  tag: string,
  sort: string | undefined,
  name: string,
  value: string,
  taint: Taint | undefined,
): FieldRule => {
  switch (sort) {
    case 'label':
      return { to: 'NodePool spec.template.metadata.labels' }
    case 'taint':
      return taint === undefined
        ? { because: `${JSON.stringify(value)} is not VALUE:EFFECT: Cluster Autoscaler ignores it too` }
        : { to: 'NodePool spec.template.spec.taints' }
    case 'autoscaling-options':
      return optionRule(name, value)
    case 'resources':
      return { because: 'Kerf knows the resources of each instance type' }
    default:
      return tag.startsWith(PREFIX)
        ? { because: 'Kerf knows the size of the boot volume' }
        : { because: 'tags of the node pool are not tags of its instances' }
  }
}
