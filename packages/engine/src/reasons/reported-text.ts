import { ownField, type Pod } from '@kerf/apis'

/**
 * A text about a pod, for readers without permission to read that pod. Words of the pod are replaced by their indexes in `podTexts(pod)`;
 * all other words are included unchanged. Readers of the pod can restore the text. For others, the indexes have no meaning.
 */
export type ReportedText = readonly (string | number)[]

/** The fields of the pod spec that determine where a pod may run. Labels, environment variables and commands are not among them. */
const PLACEMENT_FIELDS = [
  'affinity',
  'containers',
  'ephemeralContainers',
  'initContainers',
  'nodeSelector',
  'overhead',
  'resourceClaims',
  'resources',
  'topologySpreadConstraints',
  'volumes',
] as const
const CONTAINER_FIELDS: ReadonlySet<string> = new Set(['name', 'resources', 'ports'])
const VOLUME_FIELDS: ReadonlySet<string> = new Set(['name', 'persistentVolumeClaim', 'ephemeral'])

const only = (list: unknown, fields: ReadonlySet<string>): unknown =>
  Array.isArray(list)
    ? list.map((each: object) => Object.fromEntries(Object.entries(each).filter(([field]) => fields.has(field))))
    : list

const collect = (value: unknown, into: Set<string>): void => {
  if (typeof value === 'string') into.add(value)
  else if (Array.isArray(value)) for (const each of value) collect(each, into)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) {
      into.add(key)
      collect(each, into)
    }
  }
}

/** Returns every word of a pod that a reason may contain. The order is the same for all readers of the pod. */
export const podTexts = ({ metadata, spec }: Pod): readonly string[] => {
  const words = new Set<string>()
  for (const field of PLACEMENT_FIELDS) {
    const value = ownField(spec, field)
    if (field === 'volumes') collect(only(value, VOLUME_FIELDS), words)
    else if (field === 'containers' || field === 'initContainers' || field === 'ephemeralContainers')
      collect(only(value, CONTAINER_FIELDS), words)
    else collect(value, words)
  }
  const { schedulerName } = spec
  if (schedulerName !== undefined && !FIXED.has(schedulerName)) words.add(schedulerName)
  words.add(metadata.name)
  words.add(metadata.namespace ?? 'default')
  words.delete('')
  return [...words].sort()
}

/**
 * Words that reasons may contain even if the user has no permission to read the pod. These are the words of sentences about pods, and label
 * keys and resources that exist in every cluster. A sentence with any other word is not reported, because the word may be the name of an
 * object in a namespace.
 */
const FIXED: ReadonlySet<string> = new Set(
  `a all amounts and are as asks asked asking at be because been being bind binding binds bound but by can cannot capacity
  claim claims class common complete completely constraint containers count deleted device devices different do does domain
  driver elsewhere enough every exist exists expression fit for from had has have hint hold ignored ignores immediately in
  incomplete integer invalid is it its key kind known label largest less listed lost many match matches matchFields maxSkew
  may meets million must name names needs negative neither no node nodes none nor not nothing of offering on one ones only
  operator or other others over pod pods positive promised provisioner quantity read request requests resource resources
  restricted several short size some spread storage supported taint than that the them there they this those times to
  together topology twice type types typo unbound understood unknown unsupported uses value values volume volumes wanted which
  with without written zone allocated allocation dynamic least most
  In NotIn Exists DoesNotExist Gt Lt Gte Lte Any PersistentVolume PersistentVolumeClaim persistentvolumeclaim StorageClass
  ResourceClaim DeviceClass affinity anti-affinity M m meant CPU minValues once labels
  cpu memory ephemeral-storage pods hugepages-1Gi hugepages-2Mi
  on-demand spot reserved
  kubernetes.io/arch kubernetes.io/os kubernetes.io/hostname node.kubernetes.io/instance-type
  node.kubernetes.io/windows-build topology.kubernetes.io/region topology.kubernetes.io/zone
  karpenter.sh/capacity-type karpenter.sh/nodepool
  default-scheduler`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

const isInside = (letter: string | undefined): boolean => letter !== undefined && /[A-Za-z0-9]/.test(letter)
/** Matches the words of a sentence. */
const WORD = /[A-Za-z0-9](?:[A-Za-z0-9._/-]*[A-Za-z0-9])?/g

/** Returns the longest word of the pod that occurs as a whole word at this position. */
const wordAt = (text: string, at: number, words: ReadonlyMap<string, number>, lengths: readonly number[]) => {
  if (isInside(text[at - 1]) && isInside(text[at])) return undefined
  for (const length of lengths) {
    const place = words.get(text.slice(at, at + length))
    if (place === undefined) continue
    if (isInside(text[at + length - 1]) && isInside(text[at + length])) continue
    return { place, length }
  }
  return undefined
}

const isFixed = (text: string): boolean => [...text.matchAll(WORD)].every(([word]) => FIXED.has(word))

/** Returns the text with the words of its pod replaced; `undefined` if it contains a word that is neither fixed nor the pod's. */
export const reportText = (text: string, words: readonly string[]): ReportedText | undefined => {
  const places = new Map(words.map((word, place) => [word, place]))
  const lengths = [...new Set(words.map(({ length }) => length))].sort((a, b) => b - a)
  const reported: (string | number)[] = []
  let fixed = ''
  const flush = (): boolean => {
    if (!isFixed(fixed)) return false
    if (fixed !== '') reported.push(fixed)
    fixed = ''
    return true
  }
  for (let at = 0; at < text.length; ) {
    const found = wordAt(text, at, places, lengths)
    if (found === undefined) {
      fixed += text[at]
      at++
    } else {
      if (!flush()) return undefined
      reported.push(found.place)
      at += found.length
    }
  }
  return flush() ? reported : undefined
}

/** Returns the text for a reader of its pod, or `undefined` if the text is about another pod. */
export const readText = (reported: ReportedText, words: readonly string[]): string | undefined => {
  let text = ''
  for (const part of reported) {
    const word = typeof part === 'number' ? words[part] : part
    if (word === undefined) return undefined
    text += word
  }
  return text
}
