import { labelValueProblem, qualifiedNameProblem, type Taint } from '@kerf/apis'

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const

export const isEffect = (text: string | undefined): text is Taint['effect'] => EFFECTS.some((each) => each === text)

/** Returns whether a taint with this key is removed when the node is ready. */
export const isStartupTaint = (key: string): boolean =>
  /^(startup-taint|ignore-taint)\.cluster-autoscaler\.kubernetes\.io\//.test(key)

/** Returns the reason why a node cannot have the label, or undefined if it can. */
export const labelProblem = (key: string, value: string): string | undefined => {
  const problem = qualifiedNameProblem(key)
  if (problem !== undefined) return `${JSON.stringify(key)} cannot be the key of a label: ${problem}`
  const wrongValue = labelValueProblem(value)
  if (wrongValue === undefined) return undefined
  const [, effect] = /:(\w+)$/.exec(value) ?? []
  return `no node can have a label with the value ${JSON.stringify(value)}: ${wrongValue}${
    isEffect(effect) ? '. If it is a taint, its tag is …/node-template/taint/KEY' : ''
  }`
}
