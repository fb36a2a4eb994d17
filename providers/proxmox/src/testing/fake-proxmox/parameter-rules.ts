/** The checks that Proxmox performs on one parameter of a call. */
export interface ParameterRule {
  readonly type: 'string' | 'integer' | 'number' | 'boolean'
  readonly isOptional?: true
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly values?: readonly string[]
  readonly pattern?: RegExp
  /** The allowed keys, for options such as `net0`. */
  readonly keys?: readonly string[]
}

type More = Omit<ParameterRule, 'type' | 'isOptional'>

export const text = (more: More = {}): ParameterRule => ({ type: 'string', ...more })
export const whole = (minimum: number, maximum?: number): ParameterRule => ({
  ...{ type: 'integer', minimum },
  ...(maximum === undefined ? {} : { maximum }),
})
export const flag: ParameterRule = { type: 'boolean' }
export const enumRule = (...values: readonly string[]): ParameterRule => ({ type: 'string', values })
export const maybe = (rule: ParameterRule): ParameterRule => ({ ...rule, isOptional: true })

const typeProblem = ({ type }: ParameterRule, value: string): string | undefined => {
  const isRight =
    type === 'string' ||
    (type === 'boolean' && /^(?:0|1|on|off|yes|no|true|false)$/i.test(value)) ||
    (type === 'integer' && /^[+-]?\d+$/.test(value)) ||
    (type === 'number' && /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(value))
  return isRight ? undefined : `type check ('${type}') failed - got '${value}'`
}

const keyProblem = ({ keys }: ParameterRule, value: string): string | undefined => {
  const unknown = value
    .split(',')
    .slice(keys?.includes('') === true ? 1 : 0)
    .map((entry) => entry.split('=')[0] ?? '')
    .find((key) => keys?.includes(key) === false)
  return keys === undefined || unknown === undefined
    ? undefined
    : `invalid format - format error\n${unknown}: property is not defined in schema and the schema does not allow additional properties\n`
}

/** Returns the reason why Proxmox rejects the value, with Proxmox's wording. Returns undefined if it is valid. */
const valueProblem = (rule: ParameterRule, value: string): string | undefined => {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, maxLength, values, pattern } = rule
  const ofType = typeProblem(rule, value)
  if (ofType !== undefined) return ofType
  const isNumber = rule.type === 'integer' || rule.type === 'number'
  if (isNumber && Number(value) < minimum) return `value must have a minimum value of ${minimum}`
  if (isNumber && Number(value) > maximum) return `value must have a maximum value of ${maximum}`
  if (maxLength !== undefined && value.length > maxLength) return `value may only be ${maxLength} characters long`
  if (values !== undefined && !values.includes(value))
    return `value '${value}' does not have a value in the enumeration '${values.join(', ')}'`
  if (pattern !== undefined && !pattern.test(value)) return 'value does not match the regex pattern'
  return keyProblem(rule, value)
}

/** Returns the rejected parameters, each with the reason in Proxmox's wording. */
export const parameterProblems = (
  rules: Readonly<Record<string, ParameterRule>>,
  given: ReadonlyMap<string, string>,
): Readonly<Record<string, string>> => {
  const problems = new Map<string, string>()
  for (const [name, value] of given) {
    const rule = rules[name] ?? rules[name.replace(/\d+$/, '[n]')]
    const problem =
      rule === undefined
        ? 'property is not defined in schema and the schema does not allow additional properties'
        : valueProblem(rule, value)
    if (problem !== undefined) problems.set(name, problem)
  }
  for (const [name, { isOptional }] of Object.entries(rules))
    if (isOptional !== true && !name.endsWith('[n]') && !given.has(name))
      problems.set(name, 'property is missing and it is not optional')
  return Object.fromEntries(problems)
}
