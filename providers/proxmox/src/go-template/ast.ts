import type { GoValue } from './go-value.ts'

/** An operand of a command. */
export type Operand =
  | { readonly kind: 'constant'; readonly value: GoValue }
  | { readonly kind: 'dot' }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'function'; readonly name: string }
  | { readonly kind: 'pipeline'; readonly pipeline: Pipeline }
  /** Fields of another operand, for example `.A.B`. */
  | { readonly kind: 'fields'; readonly of: Operand; readonly names: readonly string[] }

/** A function with its arguments, or a single operand. */
export type Command = readonly [Operand, ...Operand[]]

export interface Pipeline {
  /** The variables to which the value is assigned. A `range` may have two. */
  readonly variables: readonly string[]
  /** Whether the variables already exist. */
  readonly isAssignment: boolean
  readonly commands: readonly Command[]
  readonly line: number
}

export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly pipeline: Pipeline }
  | {
      readonly kind: 'if' | 'with' | 'range'
      readonly pipeline: Pipeline
      readonly body: Body
      readonly otherwise: Body
    }
  | { readonly kind: 'template'; readonly name: string; readonly pipeline: Pipeline | undefined; readonly line: number }
  | { readonly kind: 'break' | 'continue' }

export type Body = readonly TemplateNode[]

/** A parsed template: its body, and the templates that it defines by name. */
export interface ParsedTemplate {
  readonly body: Body
  readonly definitions: ReadonlyMap<string, Body>
}
