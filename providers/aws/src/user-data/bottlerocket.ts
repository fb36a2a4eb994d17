import type { Taint } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import { UserDataError } from '@kerf/provider-kit'
import { parse, stringify, type TomlTable, type TomlValue } from 'smol-toml'
import { nodeClassAmiAlias } from '../node-class/ami-family.ts'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'
import { type Bootstrap, sortedEntries } from './bootstrap.ts'
import { checkWholeNumbers, conformingSettings, isTable } from './bottlerocket-conform.ts'
import { bottlerocketCommandShape, bottlerocketKubernetesKeys } from './bottlerocket-keys.ts'
import type { RenderedUserData } from './rendered-user-data.ts'

const tableAt = (table: TomlTable, key: string): TomlTable => {
  const value = ownValue(table, key)
  if (value === undefined) return {}
  if (isTable(value)) return value
  throw new UserDataError('TOML', `${key} is not a table`, `write its settings under [settings.${key}]`)
}

const customSettings = (custom: string | undefined): TomlTable => {
  if (custom === undefined || custom.trim() === '') return {}
  try {
    // Integers are parsed as bigints. This preserves all digits, and the difference between 1 and 1.0, which matters to Bottlerocket.
    return parse(custom, { integersAsBigInt: true })
  } catch (error) {
    throw new UserDataError(
      'TOML',
      error instanceof Error ? (error.message.split('\n')[0] ?? error.message) : String(error),
      'Bottlerocket accepts only settings such as [settings.kubernetes]; see its settings reference',
      { cause: error },
    )
  }
}

/** Returns the settings, overridden by the given values. */
const overlaid = (table: TomlTable, over: Readonly<Record<string, TomlValue | undefined>>): TomlTable => {
  const given = Object.entries(over).filter((pair): pair is [string, TomlValue] => pair[1] !== undefined)
  return { ...table, ...Object.fromEntries(given) }
}

const isEmpty = (value: TomlValue): boolean => isTable(value) && Object.keys(value).length === 0
const withoutEmpty = (table: TomlTable): TomlTable =>
  Object.fromEntries(Object.entries(table).filter(([, value]) => !isEmpty(value)))

const sortedTable = (map: Readonly<Record<string, string>>): TomlTable => Object.fromEntries(sortedEntries(map))
const tableIf = (map: Readonly<Record<string, string>> | undefined): TomlTable | undefined =>
  map === undefined ? undefined : sortedTable(map)
const wholeIf = (value: number | undefined): bigint | undefined => (value === undefined ? undefined : BigInt(value))

const taintTable = (taints: readonly Taint[]): TomlTable =>
  Object.fromEntries(
    sortedEntries(Object.groupBy(taints, ({ key }) => key)).map(([key, list = []]) => [
      key,
      list.map(({ value = '', effect }) => `${value}:${effect}`),
    ]),
  )

/** Returns true if this Bottlerocket version binds directories on instance store disks even if the settings do not list them. */
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

/**
 * Returns the user data of Bottlerocket: the user's settings, overridden by those that join the node to the cluster.
 *
 * @throws UserDataError for text that is not TOML.
 */
export const bottlerocketUserData = (bootstrap: Bootstrap): RenderedUserData => {
  const { cluster, settled, labels, taints, raid0, imageVersion } = bootstrap
  const custom = customSettings(bootstrap.custom)
  const settings = tableAt(custom, 'settings')
  const given = tableAt(settings, 'kubernetes')
  checkWholeNumbers(settings)
  const known = conformingSettings(given, 'settings.kubernetes', (key) => ownValue(bottlerocketKubernetesKeys, key))
  const ownCommands = conformingSettings(
    tableAt(settings, 'bootstrap-commands'),
    'settings.bootstrap-commands',
    () => bottlerocketCommandShape,
  )
  const percent = (value: number | undefined): string | undefined => (value === undefined ? undefined : `${value}`)
  const kubernetes = withoutEmpty(
    overlaid(known.value, {
      'cluster-name': cluster.name,
      'api-server': cluster.endpoint,
      'cluster-certificate': cluster.caBundle,
      'max-pods': wholeIf(settled.maxPods),
      'cluster-dns-ip': settled.clusterDNS?.[0],
      'system-reserved': tableIf(settled.systemReserved),
      'kube-reserved': tableIf(settled.kubeReserved),
      'eviction-hard': tableIf(settled.evictionHard),
      'eviction-soft': tableIf(settled.evictionSoft),
      'eviction-soft-grace-period': tableIf(settled.evictionSoftGracePeriod),
      'eviction-max-pod-grace-period': wholeIf(settled.evictionMaxPodGracePeriod),
      'image-gc-high-threshold-percent': percent(settled.imageGCHighThresholdPercent),
      'image-gc-low-threshold-percent': percent(settled.imageGCLowThresholdPercent),
      'cpu-cfs-quota-enforced': settled.cpuCFSQuota,
      'node-labels': { ...tableAt(known.value, 'node-labels'), ...sortedTable(labels) },
      'node-taints': taintTable(taints),
    }),
  )
  const commands = {
    ...ownCommands.value,
    ...(raid0 ? { '000-mount-instance-storage': instanceStoreCommand(imageVersion) } : {}),
  }
  // Bottlerocket accepts only settings.
  const merged = {
    settings: overlaid(settings, { kubernetes, 'bootstrap-commands': isEmpty(commands) ? undefined : commands }),
  }
  return {
    text: stringify(merged, { numbersAsFloat: true }),
    remarks: [...known.dropped, ...ownCommands.dropped].map(
      (path) => `Bottlerocket does not support ${path}, so it was removed; correct it`,
    ),
  }
}

const VERSION = /v(\d+\.\d+(?:\.\d+)?)/

/**
 * Returns the Bottlerocket version that a node class launches, if known: from its alias, from the image name that it selects, or
 * from the names of its resolved images.
 */
export const bottlerocketVersion = ({ spec, status }: Pick<EC2NodeClass, 'spec' | 'status'>): string | undefined => {
  const alias = nodeClassAmiAlias(spec)
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
