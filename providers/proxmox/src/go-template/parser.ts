import type { Body, Command, Operand, ParsedTemplate, Pipeline, TemplateNode } from './ast.ts'
import { lexTemplate, type Piece, type Token } from './lexer.ts'
import { TemplateError } from './template-error.ts'

const CONSTANTS: ReadonlyMap<string, boolean | undefined> = new Map([
  ['true', true],
  ['false', false],
  ['nil', undefined],
])

/** Reads the tokens of one action. */
class ActionReader {
  readonly #tokens: readonly Token[]
  readonly #functions: ReadonlySet<string>
  readonly line: number
  #at = 0

  constructor({ tokens, line }: Extract<Piece, { kind: 'action' }>, functions: ReadonlySet<string>) {
    this.#tokens = tokens
    this.#functions = functions
    this.line = line
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length
  }

  problem(text: string): TemplateError {
    return new TemplateError(this.line, text)
  }

  /** Consumes the next token if it is this keyword or symbol. Returns whether it did. */
  take(value: string): boolean {
    const token = this.#tokens[this.#at]
    const isIt = token?.value === value && (token.kind === 'name' || token.kind === 'symbol')
    if (isIt) this.#at++
    return isIt
  }

  text(): string {
    const token = this.#tokens[this.#at++]
    if (token?.kind !== 'text') throw this.problem('the name of a template must be a text')
    return token.value
  }

  end(): void {
    if (!this.isAtEnd) throw this.problem(`unexpected ${JSON.stringify(this.#tokens[this.#at]?.value)}`)
  }

  pipeline(most = 1): Pipeline {
    const { variables, isAssignment } = this.#declaration(most)
    const commands = [this.#command()]
    while (this.take('|')) commands.push(this.#command())
    return { variables, isAssignment, commands, line: this.line }
  }

  #declaration(most: number): Pick<Pipeline, 'variables' | 'isAssignment'> {
    const start = this.#at
    const variables: string[] = []
    do {
      const token = this.#tokens[this.#at]
      if (token?.kind !== 'variable' || token.value === '') break
      variables.push(token.value)
      this.#at++
    } while (variables.length < most && this.take(','))
    if (variables.length > 0 && this.take(':=')) return { variables, isAssignment: false }
    if (variables.length > 0 && this.take('=')) return { variables, isAssignment: true }
    this.#at = start
    return { variables: [], isAssignment: false }
  }

  #command(): Command {
    const [first, ...others] = this.#operands()
    if (first === undefined) throw this.problem('a command is empty')
    if (first.kind === 'constant' && first.value === undefined) throw this.problem('nil is not a command')
    if (others.length > 0 && first.kind !== 'function') throw this.problem('only a function can have arguments')
    return [first, ...others]
  }

  #operands(): readonly Operand[] {
    const operands: Operand[] = []
    for (let next = this.#operand(); next !== undefined; next = this.#operand()) operands.push(next)
    return operands
  }

  #operand(): Operand | undefined {
    const token = this.#tokens[this.#at]
    const operand = token && this.#primary(token)
    return operand && this.#withFields(operand)
  }

  #withFields(operand: Operand): Operand {
    const names: string[] = []
    for (;;) {
      const next = this.#tokens[this.#at]
      if (next?.kind !== 'field' || !next.isAttached) break
      names.push(next.value)
      this.#at++
    }
    if (names.length === 0) return operand
    return operand.kind === 'fields'
      ? { ...operand, names: [...operand.names, ...names] }
      : { kind: 'fields', of: operand, names }
  }

  #primary({ kind, value }: Token): Operand | undefined {
    if (kind === 'symbol' && value !== '(') return undefined
    this.#at++
    switch (kind) {
      case 'dot':
        return { kind: 'dot' }
      case 'field':
        return { kind: 'fields', of: { kind: 'dot' }, names: [value] }
      case 'variable':
        return { kind: 'variable', name: value }
      case 'text':
        return { kind: 'constant', value }
      case 'number':
        return { kind: 'constant', value: Number(value) }
      case 'name':
        return this.#named(value)
      case 'symbol': {
        const pipeline = this.pipeline()
        if (!this.take(')')) throw this.problem('a parenthesis is not closed')
        return { kind: 'pipeline', pipeline }
      }
    }
  }

  #named(name: string): Operand {
    if (CONSTANTS.has(name)) return { kind: 'constant', value: CONSTANTS.get(name) }
    if (!this.#functions.has(name)) throw this.problem(`there is no function ${name}`)
    return { kind: 'function', name }
  }
}

/** What ended a body. */
type End = { readonly kind: 'end' } | { readonly kind: 'else'; readonly reader: ActionReader }

class TemplateParser {
  readonly #pieces: readonly Piece[]
  readonly #functions: ReadonlySet<string>
  readonly #definitions = new Map<string, Body>()
  #at = 0
  #loops = 0

  constructor(source: string, functions: ReadonlySet<string>) {
    this.#pieces = lexTemplate(source)
    this.#functions = functions
  }

  parse(): ParsedTemplate {
    const { body, end } = this.#body()
    if (end !== undefined) throw new TemplateError(1, `unexpected ${end.kind}`)
    return { body, definitions: this.#definitions }
  }

  #body(): { readonly body: Body; readonly end: End | undefined } {
    const body: TemplateNode[] = []
    for (;;) {
      const piece = this.#pieces[this.#at++]
      if (piece === undefined) return { body, end: undefined }
      if (piece.kind === 'text') {
        body.push({ kind: 'text', text: piece.text })
        continue
      }
      const reader = new ActionReader(piece, this.#functions)
      if (reader.take('end')) return { body, end: { kind: 'end' } }
      if (reader.take('else')) return { body, end: { kind: 'else', reader } }
      body.push(...this.#node(reader))
    }
  }

  #node(reader: ActionReader): Body {
    for (const kind of ['if', 'with', 'range'] as const) if (reader.take(kind)) return [this.#control(kind, reader)]
    for (const kind of ['break', 'continue'] as const)
      if (reader.take(kind)) {
        if (this.#loops === 0) throw reader.problem(`${kind} outside of range`)
        return [{ kind }]
      }
    if (reader.take('template')) {
      const name = reader.text()
      return [{ kind: 'template', name, pipeline: reader.isAtEnd ? undefined : reader.pipeline(), line: reader.line }]
    }
    if (reader.take('define')) {
      this.#define(reader.text(), reader)
      return []
    }
    if (reader.take('block')) {
      const [name, pipeline] = [reader.text(), reader.pipeline()]
      this.#define(name, reader)
      return [{ kind: 'template', name, pipeline, line: reader.line }]
    }
    const pipeline = reader.pipeline()
    reader.end()
    return [{ kind: 'action', pipeline }]
  }

  #define(name: string, reader: ActionReader): void {
    const { body, end } = this.#body()
    if (end?.kind !== 'end') throw reader.problem(`the definition of ${name} has no end`)
    this.#definitions.set(name, body)
  }

  #control(kind: 'if' | 'with' | 'range', reader: ActionReader): TemplateNode {
    const pipeline = reader.pipeline(kind === 'range' ? 2 : 1)
    reader.end()
    if (kind === 'range') this.#loops++
    const { body, end } = this.#body()
    if (kind === 'range') this.#loops--
    if (end === undefined) throw reader.problem(`${kind} has no end`)
    return { kind, pipeline, body, otherwise: end.kind === 'end' ? [] : this.#otherwise(kind, end.reader) }
  }

  #otherwise(kind: 'if' | 'with' | 'range', reader: ActionReader): Body {
    // One `end` closes `else if` or `else with` together with the first condition.
    if (kind !== 'range' && reader.take(kind)) return [this.#control(kind, reader)]
    reader.end()
    const { body, end } = this.#body()
    if (end?.kind !== 'end') throw reader.problem(`the else of ${kind} has no end`)
    return body
  }
}

/**
 * Parses a template of Go's package text/template. Does not support methods.
 *
 * @param functions the names of the functions that the template may call
 * @throws TemplateError
 */
export const parseTemplate = (source: string, functions: ReadonlySet<string>): ParsedTemplate =>
  new TemplateParser(source, functions).parse()
