import { EvaluationError, Optional, type ParseResult } from '@marcbachmann/cel-js'
import { isNode, undefinedField } from './cel-fields.ts'
import { celEnvironment } from './cel-library.ts'
import type { StructuralSchema, ValidationRule } from './structural-schema.ts'

/** The result of evaluating a rule for a value. `failed` contains the error of the evaluation. */
export type RuleOutcome =
  | { readonly kind: 'holds' }
  | { readonly kind: 'violated'; readonly message: string }
  | { readonly kind: 'failed'; readonly problem: string }

/** A compiled rule of `x-kubernetes-validations`. Code outside of this folder does not depend on the evaluator. */
export interface CelRule {
  readonly source: ValidationRule
  /** Whether the rule reads the old value. Without an old value, such a rule is skipped, unless it declares the old value as optional. */
  readonly usesOldSelf: boolean
  evaluate(self: unknown, oldSelf: { readonly value: unknown } | undefined): RuleOutcome
}

/** Thrown if a rule cannot be compiled because of a syntax error, an unknown function or field, or a wrong type. */
export class RuleError extends Error {
  override readonly name = 'RuleError'
  readonly rule: string
  readonly problem: string
  /** The path of the rule in its schema: `properties[spec].x-kubernetes-validations[0].rule`. Empty if unknown. */
  readonly path: string

  constructor(rule: string, problem: string, path = '') {
    super(`CEL rule ${JSON.stringify(rule)}${path === '' ? '' : ` at ${path}`}: ${problem}`)
    this.rule = rule
    this.problem = problem
    this.path = path
  }
}

/** Matches string literals, comments, and calls of `int()` and `matches()`, which the evaluator handles differently from Go. */
const TOKENS =
  /[rR]"""[\s\S]*?"""|[rR]'''[\s\S]*?'''|[rR]"[^"\n]*"|[rR]'[^'\n]*'|"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\/[^\n]*|(?<![\w.]|\.\s+)(int)(?=\s*\()|(?<!\w)(matches)(?=\s*\()/g

/** Returns the expression with `int()` and `matches()` replaced by functions that behave as in Go. */
export const toGoCalls = (expression: string): string =>
  expression.replaceAll(TOKENS, (text, int?: string, matches?: string) => {
    if (int !== undefined) return 'goInt'
    return matches === undefined ? text : 'goMatches'
  })

const firstLine = (text: string): string => text.split('\n')[0] ?? text

const compile = (expression: string, type: string): ParseResult => {
  const refuse = (problem: string): never => {
    throw new RuleError(expression, firstLine(problem))
  }
  let parsed: ParseResult
  try {
    parsed = celEnvironment().parse(toGoCalls(expression))
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
  const checked = parsed.check()
  if (!checked.valid) return refuse(checked.error?.message ?? 'it does not check')
  if (checked.type !== type && checked.type !== 'dyn') return refuse(`it is of type ${checked.type}, not ${type}`)
  return parsed
}

const mentions = (value: unknown, name: string): boolean => {
  if (Array.isArray(value)) return value.some((item) => mentions(item, name))
  if (!isNode(value)) return false
  return (value.op === 'id' && value.args === name) || mentions(value.args, name)
}

/** Returns the rule's message, or a default if it has none. */
const defaultMessage = ({ rule, message }: ValidationRule): string =>
  message === undefined || message === '' ? `failed rule: ${rule.trim()}` : message.trim()

/**
 * Compiles and checks one rule of a schema. `isRoot` is true for the schema of the whole object.
 * @throws RuleError
 */
export const compileRule = (source: ValidationRule, schema: StructuralSchema, isRoot: boolean): CelRule => {
  const program = compile(source.rule, 'bool')
  const missing = undefinedField(program.ast, schema, isRoot)
  if (missing !== undefined) throw new RuleError(source.rule, `undefined field '${missing}'`)
  const message = source.messageExpression === undefined ? undefined : compile(source.messageExpression, 'string')
  const takesOptional = source.optionalOldSelf === true
  const contextOf = (self: unknown, oldSelf: { readonly value: unknown } | undefined): Record<string, unknown> => {
    if (takesOptional) return { self, oldSelf: oldSelf === undefined ? Optional.none() : Optional.of(oldSelf.value) }
    return oldSelf === undefined ? { self } : { self, oldSelf: oldSelf.value }
  }
  const messageFor = (context: Record<string, unknown>): string => {
    if (message === undefined) return defaultMessage(source)
    try {
      const text: unknown = message(context)
      return typeof text === 'string' && text.trim() !== '' && !text.includes('\n')
        ? text.trim()
        : defaultMessage(source)
    } catch (error) {
      if (error instanceof EvaluationError) return defaultMessage(source)
      throw error
    }
  }
  return {
    source,
    usesOldSelf: mentions(program.ast, 'oldSelf'),
    evaluate(self, oldSelf) {
      const context = contextOf(self, oldSelf)
      try {
        const result: unknown = program(context)
        return result === true ? { kind: 'holds' } : { kind: 'violated', message: messageFor(context) }
      } catch (error) {
        // CEL functions throw plain errors for invalid values. These errors are about the value, and are not bugs.
        const problem = firstLine(error instanceof Error ? error.message : String(error))
        return { kind: 'failed', problem: `${problem} evaluating rule: ${source.message ?? source.rule}` }
      }
    },
  }
}
