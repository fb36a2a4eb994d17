import type { ECSNodeClassSpec } from '../../node-class/ecs-node-class.ts'

/** The maximum number of tags of an ECS instance. */
const MOST = 20
/** The number of tags that the controller adds: six at the launch, and the name of the Node later. */
const OWN = 7
const LONGEST = 128

const keyProblem = (key: string): string | undefined => {
  if (/^(?:aliyun|acs:)/.test(key)) return 'must not begin with "aliyun" or "acs:"'
  if (/https?:\/\//.test(key)) return 'must not contain "http://" or "https://"'
  return key.length > LONGEST ? `must have at most ${LONGEST} characters` : undefined
}

const valueProblem = (value: string): string | undefined => {
  if (/https?:\/\//.test(value)) return 'must not contain "http://" or "https://"'
  return value.length > LONGEST ? `must have at most ${LONGEST} characters` : undefined
}

/**
 * Returns the problems for which ECS would refuse the tags of a node class (`providers/alibaba/docs/spec/alibaba.md#request`). The CRD
 * accepts more.
 */
export const tagProblems = ({ tags = {} }: Pick<ECSNodeClassSpec, 'tags'>): readonly string[] => {
  const count = Object.keys(tags).length
  return [
    ...Object.entries(tags).flatMap(([key, value]) => {
      const [ofKey, ofValue] = [keyProblem(key), valueProblem(value)]
      return [
        ...(ofKey === undefined ? [] : [`spec.tags: the key ${JSON.stringify(key)} ${ofKey}`]),
        ...(ofValue === undefined ? [] : [`spec.tags[${key}]: the value ${JSON.stringify(value)} ${ofValue}`]),
      ]
    }),
    ...(count + OWN > MOST
      ? [`spec.tags has ${count} tags, and ECS accepts ${MOST - OWN} in addition to those of Kerf`]
      : []),
  ]
}
