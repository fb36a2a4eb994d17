import type { EC2NodeClass, Taint } from '@kerf/apis'
import { parse, stringify, type TomlTable, type TomlValue } from 'smol-toml'
import { amiAliasOf } from '../node-class/ami-family.ts'
import { type Bootstrap, sortedEntries } from './bootstrap.ts'
import { bottlerocketKubernetesKeys } from './bottlerocket-keys.ts'
import { UserDataError } from './user-data-error.ts'

const isTable = (value: TomlValue | undefined): value is TomlTable =>
  typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)

const tableAt = (table: TomlTable, key: string): TomlTable => {
  const value = table[key]
  if (value === undefined) return {}
  if (isTable(value)) return value
  throw new UserDataError('TOML', `${key} is not a table`, `write its settings under [settings.${key}]`)
}

const customSettings = (custom: string | undefined): TomlTable => {
  if (custom === undefined || custom.trim() === '') return {}
  try {
    return parse(custom)
  } catch (error) {
    throw new UserDataError(
      'TOML',
      error instanceof Error ? (error.message.split('\n')[0] ?? error.message) : String(error),
      'Bottlerocket takes only settings, like [settings.kubernetes]; see its settings reference',
      { cause: error },
    )
  }
}

/** The pairs that have a value; an empty map counts as none. */
const present = (pairs: Readonly<Record<string, TomlValue | undefined>>): TomlTable => {
  const table: TomlTable = {}
  for (const [key, value] of Object.entries(pairs)) {
    if (value === undefined || (isTable(value) && Object.keys(value).length === 0)) continue
    table[key] = value
  }
  return table
}

const tableOf = (map: Readonly<Record<string, string>> | undefined): TomlTable => Object.fromEntries(sortedEntries(map))

const taintTable = (taints: readonly Taint[]): TomlTable =>
  Object.fromEntries(
    sortedEntries(Object.groupBy(taints, ({ key }) => key)).map(([key, list = []]) => [
      key,
      list.map(({ value = '', effect }) => `${value}:${effect}`),
    ]),
  )

/** From this version on, what belongs on instance store disks is bound there without naming it. */
const bindsByItself = (version: string | undefined): boolean => {
  if (version === 'latest') return true
  const [, major, minor] = /^v*(\d+)\.(\d+)(\.|$)/.exec(version ?? '') ?? []
  if (major === undefined || minor === undefined) return false
  return Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 46)
}

const instanceStoreCommand = (version: string | undefined): TomlTable => ({
  commands: [
    ['apiclient', 'ephemeral-storage', 'init'],
    [
      'apiclient',
      'ephemeral-storage',
      'bind',
      ...(bindsByItself(version) ? [] : ['--dirs', '/var/lib/containerd', '/var/lib/kubelet', '/var/log/pods']),
    ],
  ],
  essential: true,
  mode: 'always',
})

/** Settings of Bottlerocket, and the names of those of the user that it does not know and that were left out. */
export interface BottlerocketUserData {
  readonly text: string
  readonly dropped: readonly string[]
}

/**
 * User data of Bottlerocket: the user's settings, with those that join the node to the cluster put over them.
 *
 * @throws UserDataError for text that is not TOML.
 */
export const bottlerocketUserData = (bootstrap: Bootstrap): BottlerocketUserData => {
  const { cluster, settled, labels, taints, raid0, imageVersion } = bootstrap
  const custom = customSettings(bootstrap.custom)
  const settings = tableAt(custom, 'settings')
  const given = tableAt(settings, 'kubernetes')
  const dropped = Object.keys(given).filter((key) => !bottlerocketKubernetesKeys.has(key))
  const known = Object.fromEntries(Object.entries(given).filter(([key]) => bottlerocketKubernetesKeys.has(key)))
  const percent = (value: number | undefined): string | undefined => (value === undefined ? undefined : `${value}`)
  const kubernetes: TomlTable = {
    ...known,
    ...present({
      'cluster-name': cluster.name,
      'api-server': cluster.endpoint,
      'cluster-certificate': cluster.caBundle,
      'max-pods': settled.maxPods,
      'cluster-dns-ip': settled.clusterDNS?.[0],
      'system-reserved': tableOf(settled.systemReserved),
      'kube-reserved': tableOf(settled.kubeReserved),
      'eviction-hard': tableOf(settled.evictionHard),
      'eviction-soft': tableOf(settled.evictionSoft),
      'eviction-soft-grace-period': tableOf(settled.evictionSoftGracePeriod),
      'eviction-max-pod-grace-period': settled.evictionMaxPodGracePeriod,
      'image-gc-high-threshold-percent': percent(settled.imageGCHighThresholdPercent),
      'image-gc-low-threshold-percent': percent(settled.imageGCLowThresholdPercent),
      'cpu-cfs-quota-enforced': settled.cpuCFSQuota,
    }),
    ...present({ 'node-labels': { ...tableAt(known, 'node-labels'), ...tableOf(labels) } }),
    'node-taints': taintTable(taints),
  }
  const commands = {
    ...tableAt(settings, 'bootstrap-commands'),
    ...(raid0 ? { '000-mount-instance-storage': instanceStoreCommand(imageVersion) } : {}),
  }
  const merged = { ...custom, settings: { ...settings, kubernetes, ...present({ 'bootstrap-commands': commands }) } }
  return { text: stringify(merged), dropped }
}

const VERSION = /v(\d+\.\d+(?:\.\d+)?)/

/**
 * The version of Bottlerocket that a node class leads to, as far as can be told: by its alias, by the name it selects, by
 * the names of the images it was resolved to.
 */
export const bottlerocketVersionOf = ({ spec, status }: Pick<EC2NodeClass, 'spec' | 'status'>): string | undefined => {
  const alias = amiAliasOf(spec)
  if (alias !== undefined) return alias.version
  const images = status?.amis ?? []
  const names = [
    ...spec.amiSelectorTerms.map(({ name }) => name),
    ...spec.amiSelectorTerms.map(({ id }) =>
      id === undefined ? undefined : images.find((ami) => ami.id === id)?.name,
    ),
    ...images.map(({ name }) => name).filter((name) => name?.includes('bottlerocket')),
  ]
  for (const name of names) {
    const version = VERSION.exec(name ?? '')?.[1]
    if (version !== undefined) return version
  }
  return undefined
}
