/** The metadata item `kube-env` of a GKE node: values by key, in the form `KEY: value` (`providers/gcp/docs/spec/gcp.md#bootstrap`). */
export type KubeEnv = ReadonlyMap<string, string>

/** Splits a line into key and value. Returns undefined for a line that continues the previous value. */
const entryIn = (line: string): readonly [key: string, value: string] | undefined => {
  const at = line.indexOf(': ')
  return at <= 0 || /^[ \t]/.test(line) ? undefined : [line.slice(0, at), line.slice(at + 2)]
}

/** Parses `kube-env`. A line that begins with a blank, or has no `: `, continues the previous value. */
export const parseKubeEnv = (text: string): KubeEnv => {
  const entries = new Map<string, string>()
  let current: string | undefined
  for (const line of text.split('\n')) {
    const entry = entryIn(line)
    if (entry !== undefined) {
      entries.set(...entry)
      current = entry[0]
    } else if (current !== undefined) entries.set(current, `${entries.get(current)}\n${line}`)
  }
  return entries
}

const LAST = 'KUBELET_ARGS'

/** Returns the text of `kube-env`: the keys are sorted, and the arguments of the kubelet come last. */
export const formatKubeEnv = (env: KubeEnv): string => {
  const keys = [...env.keys()].filter((key) => key !== LAST).toSorted()
  return [...keys, ...(env.has(LAST) ? [LAST] : [])].map((key) => `${key}: ${env.get(key)}`).join('\n')
}
