import type { Body, Command, Operand, ParsedTemplate, Pipeline, TemplateNode } from './ast.ts'
import type { TemplateFunctions } from './function-table.ts'
import {
  GoStruct,
  type GoValue,
  isGoList,
  isGoMap,
  isTrue,
  kindName,
  NO_VALUE,
  printed,
  sortedKeys,
} from './go-value.ts'
import { FunctionProblem, TemplateError } from './template-error.ts'

/** The maximum depth of template calls. Endless recursion must not stop the controller. */
const MOST_CALLS = 100

/** The variables of a body and of its enclosing bodies. */
class Scope {
  readonly #own = new Map<string, GoValue>()
  readonly #outer: Scope | undefined

  constructor(outer?: Scope) {
    this.#outer = outer
  }

  define(name: string, value: GoValue): void {
    this.#own.set(name, value)
  }

  /** Assigns a variable. Returns false if it does not exist. */
  assign(name: string, value: GoValue): boolean {
    if (!this.#own.has(name)) return this.#outer?.assign(name, value) ?? false
    this.#own.set(name, value)
    return true
  }

  has(name: string): boolean {
    return this.#own.has(name) || this.#outer?.has(name) === true
  }

  get(name: string): GoValue {
    return this.#own.has(name) ? this.#own.get(name) : this.#outer?.get(name)
  }
}

interface Frame {
  readonly dot: GoValue
  readonly scope: Scope
}

/** The reason why a body ended before its last node. */
type Jump = 'break' | 'continue' | undefined

class Evaluator {
  readonly #template: ParsedTemplate
  readonly #functions: TemplateFunctions
  #text = ''
  #calls = 0

  constructor(template: ParsedTemplate, functions: TemplateFunctions) {
    this.#template = template
    this.#functions = functions
  }

  run(data: GoValue): string {
    this.#call(this.#template.body, data)
    return this.#text
  }

  #call(body: Body, data: GoValue): void {
    const scope = new Scope()
    scope.define('', data)
    this.#body(body, { dot: data, scope })
  }

  #body(body: Body, frame: Frame): Jump {
    for (const node of body) {
      const jump = this.#node(node, frame)
      if (jump !== undefined) return jump
    }
    return undefined
  }

  #node(node: TemplateNode, frame: Frame): Jump {
    switch (node.kind) {
      case 'text':
        this.#text += node.text
        return undefined
      case 'break':
      case 'continue':
        return node.kind
      case 'action': {
        const value = this.#pipeline(node.pipeline, frame)
        if (node.pipeline.variables.length === 0) this.#text += printed(value)
        return undefined
      }
      case 'if':
      case 'with': {
        const scope = new Scope(frame.scope)
        const value = this.#pipeline(node.pipeline, { ...frame, scope })
        if (!isTrue(value)) return this.#body(node.otherwise, { ...frame, scope })
        return this.#body(node.body, { dot: node.kind === 'with' ? value : frame.dot, scope })
      }
      case 'range':
        return this.#range(node, frame)
      case 'template': {
        const body = this.#template.definitions.get(node.name)
        if (body === undefined) throw new TemplateError(node.line, `there is no template ${JSON.stringify(node.name)}`)
        if (++this.#calls > MOST_CALLS) throw new TemplateError(node.line, 'templates call each other without end')
        this.#call(body, node.pipeline === undefined ? NO_VALUE : this.#pipeline(node.pipeline, frame))
        this.#calls--
        return undefined
      }
    }
  }

  #range(node: Extract<TemplateNode, { kind: 'if' | 'with' | 'range' }>, frame: Frame): Jump {
    const { pipeline, body, otherwise } = node
    const entries = this.#entries(this.#commands(pipeline, frame), pipeline.line)
    if (entries.length === 0) return this.#body(otherwise, { ...frame, scope: new Scope(frame.scope) })
    for (const [key, value] of entries) {
      const scope = new Scope(frame.scope)
      const values: readonly GoValue[] = pipeline.variables.length === 1 ? [value] : [key, value]
      for (const [index, name] of pipeline.variables.entries())
        this.#store(pipeline, name, values[index], pipeline.isAssignment ? frame.scope : scope)
      if (this.#body(body, { dot: value, scope }) === 'break') break
    }
    return undefined
  }

  #entries(value: GoValue, line: number): readonly (readonly [GoValue, GoValue])[] {
    if (isGoList(value)) return value.map((each, index) => [index, each])
    if (isGoMap(value)) return sortedKeys(value).map((key) => [key, value.get(key)])
    if (typeof value === 'number') return Array.from({ length: value }, (_, index) => [index, index])
    if (value === NO_VALUE) return []
    throw new TemplateError(line, `range cannot visit a ${kindName(value)}`)
  }

  #pipeline(pipeline: Pipeline, frame: Frame): GoValue {
    const value = this.#commands(pipeline, frame)
    for (const name of pipeline.variables) this.#store(pipeline, name, value, frame.scope)
    return value
  }

  #store({ isAssignment, line }: Pipeline, name: string, value: GoValue, scope: Scope): void {
    if (!isAssignment) scope.define(name, value)
    else if (!scope.assign(name, value)) throw new TemplateError(line, `there is no variable $${name}`)
  }

  #commands({ commands, line }: Pipeline, frame: Frame): GoValue {
    let value: readonly GoValue[] = []
    for (const command of commands) value = [this.#command(command, value, frame, line)]
    return value[0]
  }

  /** Evaluates a command. `last` is the result of the previous command, which becomes the last argument. */
  #command([first, ...others]: Command, last: readonly GoValue[], frame: Frame, line: number): GoValue {
    if (first.kind !== 'function') {
      if (last.length > 0) throw new TemplateError(line, 'a pipeline can only continue with a function')
      return this.#operand(first, frame, line)
    }
    // `and` and `or` stop at the first argument that determines the result.
    if (first.name === 'and' || first.name === 'or') {
      let value: GoValue
      for (const operand of others) {
        value = this.#operand(operand, frame, line)
        if (isTrue(value) === (first.name === 'or')) return value
      }
      if (others.length + last.length === 0) throw new TemplateError(line, `${first.name} needs an argument`)
      return last.length > 0 ? last[0] : value
    }
    return this.#function(first.name, [...others.map((each) => this.#operand(each, frame, line)), ...last], line)
  }

  #function(name: string, values: readonly GoValue[], line: number): GoValue {
    try {
      return this.#functions.call(name, values)
    } catch (error) {
      if (error instanceof FunctionProblem) throw new TemplateError(line, `${name}: ${error.message}`)
      throw error
    }
  }

  #operand(operand: Operand, frame: Frame, line: number): GoValue {
    switch (operand.kind) {
      case 'constant':
        return operand.value
      case 'dot':
        return frame.dot
      case 'variable':
        if (!frame.scope.has(operand.name)) throw new TemplateError(line, `there is no variable $${operand.name}`)
        return frame.scope.get(operand.name)
      case 'function':
        return this.#command([operand], [], frame, line)
      case 'pipeline':
        return this.#pipeline(operand.pipeline, frame)
      case 'fields':
        return operand.names.reduce(
          (value, name) => this.#field(value, name, line),
          this.#operand(operand.of, frame, line),
        )
    }
  }

  #field(value: GoValue, name: string, line: number): GoValue {
    if (isGoMap(value)) return value.has(name) ? value.get(name) : NO_VALUE
    if (value instanceof GoStruct && value.fields.has(name)) return value.fields.get(name)
    throw new TemplateError(line, `a ${kindName(value)} has no field ${name}`)
  }
}

/** Executes a template with the data and returns its output. */
export const executeTemplate = (template: ParsedTemplate, functions: TemplateFunctions, data: GoValue): string =>
  new Evaluator(template, functions).run(data)
