import { type Environment, Optional } from '@marcbachmann/cel-js'
import { ownValue } from '../own-value.ts'
import { labelValueProblem, qualifiedNameProblem, subdomainProblem } from '../qualified-name.ts'
import { hasFormat } from './formats.ts'
import { isEqualJson } from './structural-schema.ts'

/** A check of CEL's `format.…().validate(text)`. Returns `undefined` if the string is valid, and otherwise a message. */

type Problem = (text: string) => string | undefined

class NamedFormat {
  readonly problemOf: Problem

  constructor(problemOf: Problem) {
    this.problemOf = problemOf
  }
}

/** The objects `format` and `sets` in calls such as `format.x()` and `sets.x()`. CEL treats them as namespaces. */
class FormatNamespace {}
class SetNamespace {}

const label =
  (pattern: RegExp): Problem =>
  (text) =>
    text.length <= 63 && pattern.test(text) ? undefined : 'it is not a DNS label'
const label1123 = label(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
const label1035 = label(/^[a-z]([-a-z0-9]*[a-z0-9])?$/)
const textFormat =
  (format: string): Problem =>
  (text) =>
    hasFormat(text, format) ? undefined : `it is not of the format ${format}`
/** Returns the check for a prefix of a name. A prefix may end with a dash, because more characters follow. */
const prefix =
  (problemOf: Problem): Problem =>
  (text) =>
    problemOf(text.endsWith('-') ? `${text.slice(0, -1)}x` : text)

const FORMATS: Readonly<Record<string, Problem>> = {
  dns1123Label: label1123,
  dns1123LabelPrefix: prefix(label1123),
  dns1123Subdomain: subdomainProblem,
  dns1123SubdomainPrefix: prefix(subdomainProblem),
  dns1035Label: label1035,
  dns1035LabelPrefix: prefix(label1035),
  qualifiedName: qualifiedNameProblem,
  labelValue: labelValueProblem,
  uri: textFormat('uri'),
  uuid: textFormat('uuid'),
  byte: textFormat('byte'),
  date: textFormat('date'),
  datetime: textFormat('datetime'),
}

export const registerNames = (environment: Environment): void => {
  const Format = 'kubernetes.NamedFormat'
  const Namespace = 'kubernetes.FormatNamespace'
  environment
    .registerType(Format, NamedFormat)
    .registerType(Namespace, FormatNamespace)
    .registerConstant('format', Namespace, new FormatNamespace())
    .registerFunction(
      `${Format}.validate(string): optional<list<string>>`,
      ({ problemOf }: NamedFormat, text: string) => {
        const problem = problemOf(text)
        return problem === undefined ? Optional.none() : Optional.of([problem])
      },
    )
    .registerFunction(`${Namespace}.named(string): optional<${Format}>`, (_: FormatNamespace, name: string) => {
      const problemOf = ownValue(FORMATS, name)
      return problemOf === undefined ? Optional.none() : Optional.of(new NamedFormat(problemOf))
    })
  for (const [name, problemOf] of Object.entries(FORMATS)) {
    environment.registerFunction(`${Namespace}.${name}(): ${Format}`, () => new NamedFormat(problemOf))
  }
}

/** Registers `sets.contains`, `sets.equivalent` and `sets.intersects`. */
export const registerSets = (environment: Environment): void => {
  const Namespace = 'kubernetes.SetNamespace'
  type List = readonly unknown[]
  const holds = (list: List, value: unknown): boolean => list.some((item) => isEqualJson(item, value))
  const contains = (list: List, other: List): boolean => other.every((value) => holds(list, value))
  environment
    .registerType(Namespace, SetNamespace)
    .registerConstant('sets', Namespace, new SetNamespace())
    .registerFunction(`${Namespace}.contains(list, list): bool`, (_: SetNamespace, a: List, b: List) => contains(a, b))
    .registerFunction(
      `${Namespace}.equivalent(list, list): bool`,
      (_: SetNamespace, a: List, b: List) => contains(a, b) && contains(b, a),
    )
    .registerFunction(`${Namespace}.intersects(list, list): bool`, (_: SetNamespace, a: List, b: List) =>
      b.some((value) => holds(a, value)),
    )
}
