import { parseSync } from 'vite'
import { isNoBehaviour, isUnreachableFallback } from './no-behaviour.ts'
import { asNode, asNodes, asText, isNode, type Node } from './nodes.ts'

/** A small change to a source file: `replacement` replaces the characters from `start` to `end`. */
export interface Mutant {
  readonly mutator: string
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** `block` replaces a whole `{ … }`. All other mutants replace an expression. */
  readonly kind: 'expression' | 'block'
  /** The name of the nearest enclosing function or method that has a name, or `(module)` outside functions. */
  readonly owner: string
  /** The line number, starting at 1. */
  readonly line: number
}

/** The replacements for each operator. The list is the same as Stryker's. */
const operators: Readonly<Record<string, readonly (readonly [mutator: string, operator: string])[]>> = {
  '<': [
    ['boundary', '<='],
    ['negation', '>='],
  ],
  '<=': [
    ['boundary', '<'],
    ['negation', '>'],
  ],
  '>': [
    ['boundary', '>='],
    ['negation', '<='],
  ],
  '>=': [
    ['boundary', '>'],
    ['negation', '<'],
  ],
  '===': [['equality', '!==']],
  '!==': [['equality', '===']],
  '==': [['equality', '!=']],
  '!=': [['equality', '==']],
  '+': [['arithmetic', '-']],
  '-': [['arithmetic', '+']],
  '*': [['arithmetic', '/']],
  '/': [['arithmetic', '*']],
  '%': [['arithmetic', '*']],
  '&&': [['logical', '||']],
  '||': [['logical', '&&']],
  '??': [['coalescing', '&&']],
}

const methods: Readonly<Record<string, string>> = {
  every: 'some',
  some: 'every',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
  find: 'findLast',
  findLast: 'find',
}

/** Methods whose calls can be removed without a type error. */
const dropped: ReadonlySet<string> = new Set(['filter', 'toSorted', 'sort', 'toReversed', 'reverse', 'trim', 'slice'])

const bordered: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', '===', '!=='])

/**
 * Returns the replacements for a number: its neighbors or, if it is at least 100, its double and its half. A change of one percent in a
 * duration, size or bucket bound has no visible effect, but a factor of two has. A number below 1,000 in a comparison (400 in `status >=
 * 400`) always gets its neighbors.
 */
const otherNumbers = (value: number, parent: Node | undefined): readonly number[] => {
  const isBorder = parent?.type === 'BinaryExpression' && bordered.has(asText(parent['operator']))
  return value < (isBorder ? 1_000 : 100) ? [value + 1, value - 1] : [value * 2, Math.floor(value / 2)]
}

/** Returns whether the function's declared return type is a boolean or a promise of a boolean. */
const isBooleanFunction = (node: Node | undefined): boolean => {
  const type = asNode(asNode(node?.['returnType'])?.['typeAnnotation'])
  if (type?.type === 'TSBooleanKeyword' || type?.type === 'TSTypePredicate') return true
  if (type?.type !== 'TSTypeReference' || asNode(type['typeName'])?.['name'] !== 'Promise') return false
  const [awaited] = asNodes(asNode(type['typeArguments'])?.['params'])
  return awaited?.type === 'TSBooleanKeyword'
}

const functionTypes: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
])

const holdsStatements: ReadonlySet<string> = new Set(['Program', 'BlockStatement', 'SwitchCase', 'StaticBlock'])
/** The types of nodes that can be links in an optional chain. */
const links: ReadonlySet<string> = new Set(['CallExpression', 'MemberExpression', 'TSNonNullExpression'])
const onward: ReadonlySet<string> = new Set(['callee', 'object', 'expression'])

/**
 * Returns the children that must not be put in parentheses, because parentheses would change their meaning: an assignment target, a callee,
 * or a link of an optional chain.
 */
const childrenLeftAlone = (node: Node): ReadonlySet<string> => {
  switch (node.type) {
    case 'AssignmentExpression':
    case 'ForInStatement':
    case 'ForOfStatement':
      return new Set(['left'])
    case 'UpdateExpression':
      return new Set(['argument'])
    case 'TaggedTemplateExpression':
      return new Set(['quasi', 'tag'])
    default:
      return new Set()
  }
}

/** The context of a node. */
interface Scope {
  readonly owner: string
  /** The nearest function, named or not. */
  readonly inside: Node | undefined
}

export interface Mutable {
  /** The mutants, in the order of their position in the text. */
  readonly mutants: readonly Mutant[]
  /** The starts of expression statements that are directly in a block. */
  readonly statements: ReadonlySet<number>
}

/** Returns all mutants of a TypeScript file. */
export const findMutants = (path: string, source: string): Mutable => {
  const { program, errors } = parseSync(path, source, { lang: 'ts', preserveParens: false })
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message ?? ''}`)
  return new MutantWalk(source).of(program as unknown as Node)
}

type Add = (mutator: string, replacement: string, kind?: Mutant['kind'], at?: Node) => void

/** A node to mutate, with its context. */
interface Place {
  readonly node: Node
  readonly parent: Node | undefined
  readonly inside: Node | undefined
  readonly add: Add
}

/** Visits the nodes of one file and collects their mutants. */
class MutantWalk {
  readonly #source: string
  readonly #found: Mutant[] = []
  readonly #statements = new Set<number>()
  readonly #constructorBodies = new Set<Node>()
  readonly #lineStarts: readonly number[]

  constructor(source: string) {
    this.#source = source
    this.#lineStarts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)]
  }

  of(program: Node): Mutable {
    this.#visit(program, { owner: '(module)', inside: undefined }, undefined, undefined)
    const mutants = this.#found.sort((one, other) => one.start - other.start || other.end - one.end)
    return { mutants, statements: this.#statements }
  }

  #text(node: Node): string {
    return this.#source.slice(node.start, node.end)
  }

  #lineOf(offset: number): number {
    return this.#lineStarts.findLastIndex((start) => start <= offset) + 1
  }

  /** If `node` is a link in an optional chain, `chain` is that chain: only the whole chain can be replaced. */
  #visit(node: Node, scope: Scope, parent: Node | undefined, chain: Node | undefined): void {
    const { owner } = scope
    if (isNoBehaviour(node, this.#source)) return
    if (node.type === 'ExpressionStatement' && holdsStatements.has(parent?.type ?? '')) this.#statements.add(node.start)
    if (node.type === 'MethodDefinition' && node['kind'] === 'constructor') {
      const body = asNode(asNode(node['value'])?.['body'])
      if (body !== undefined) this.#constructorBodies.add(body)
    }
    this.#mutate({ node, parent, inside: scope.inside, add: this.#adding(node, owner, chain) })
    const inner = functionTypes.has(node.type) ? { owner: this.#nameOf(node, parent) ?? owner, inside: node } : scope
    const alone = childrenLeftAlone(node)
    for (const [name, value] of Object.entries(node)) {
      if (name === 'type' || alone.has(name)) continue
      if (name === 'source' && node.type === 'ExportNamedDeclaration') continue
      if ((name === 'key' || name === 'property') && node['computed'] !== true) continue
      const link = isNode(value) && links.has(value.type) && onward.has(name)
      const outer = node.type === 'ChainExpression' ? node : chain
      if (isNode(value)) this.#visit(value, inner, node, link ? outer : undefined)
      else for (const each of asNodes(value)) this.#visit(each, inner, node, undefined)
    }
  }

  #adding(node: Node, owner: string, chain: Node | undefined): Add {
    return (mutator, changed, kind = 'expression', at = node) => {
      if (changed === this.#text(at)) return
      const whole = chain ?? at
      const replacement = this.#source.slice(whole.start, at.start) + changed + this.#source.slice(at.end, whole.end)
      const line = this.#lineOf(at.start)
      this.#found.push({ mutator, start: whole.start, end: whole.end, replacement, kind, owner, line })
    }
  }

  #nameOf(node: Node, parent: Node | undefined): string | undefined {
    const own = asNode(node['id'])
    if (own !== undefined) return this.#text(own)
    if (parent?.type === 'VariableDeclarator') return this.#text(asNode(parent['id']) ?? parent)
    const key = asNode(parent?.['key'])
    return key === undefined ? undefined : this.#text(key)
  }

  #mutate(place: Place): void {
    const { node, add } = place
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression':
        this.#mutateOperator(place)
        return
      case 'UnaryExpression':
        this.#mutateSign(place)
        return
      case 'Literal':
        this.#mutateLiteral(place)
        return
      case 'TemplateLiteral':
        add('string', "''")
        return
      case 'IfStatement':
      case 'ConditionalExpression':
        this.#mutateCondition(place)
        return
      case 'ReturnStatement':
        this.#mutateReturn(place)
        return
      case 'BlockStatement':
        this.#mutateBlock(place)
        return
      case 'ArrayExpression':
        if (asNodes(node['elements']).length > 0) add('array', '[]')
        return
      case 'ChainExpression':
        this.#mutateChain(place)
        return
      case 'CallExpression':
        this.#mutateCall(place)
    }
  }

  #mutateOperator({ node, add }: Place): void {
    const left = asNode(node['left'])
    const right = asNode(node['right'])
    if (left === undefined || right === undefined) return
    const isText = [left, right].some(
      (side) => side.type === 'TemplateLiteral' || (side.type === 'Literal' && typeof side['value'] === 'string'),
    )
    const operator = asText(node['operator'])
    if (operator === '+' && isText) return
    for (const [mutator, other] of operators[operator] ?? [])
      add(mutator, `(${this.#text(left)}) ${other} (${this.#text(right)})`)
  }

  #mutateSign({ node, add }: Place): void {
    const argument = asNode(node['argument'])
    if (argument === undefined) return
    if (node['operator'] === '!') add('negation', this.#text(argument))
    if (node['operator'] === '-' && argument.type !== 'Literal') add('arithmetic', this.#text(argument))
  }

  #mutateLiteral({ node, parent, add }: Place): void {
    const value = node['value']
    if (isUnreachableFallback(node, parent, this.#source)) return
    if (typeof value === 'boolean') add('boolean', String(!value))
    if (typeof value === 'number') {
      for (const other of otherNumbers(value, parent)) add('number', String(other))
    }
    if (typeof value === 'string' && parent?.type !== 'ExpressionStatement')
      add('string', value === '' ? "'mutated'" : "''")
  }

  #mutateCondition({ node, add }: Place): void {
    const test = asNode(node['test'])
    if (test === undefined) return
    add('condition', 'true', 'expression', test)
    // The mutant with `false` also removes an early return.
    add('condition', 'false', 'expression', test)
  }

  #mutateReturn({ node, inside, add }: Place): void {
    const argument = asNode(node['argument'])
    if (argument === undefined || argument.type === 'Identifier') return
    // In a boolean function, undefined would have the same effect as false in every condition, and would not compile.
    add('return', isBooleanFunction(inside) ? 'false' : 'undefined', 'expression', argument)
  }

  #mutateBlock({ node, parent, add }: Place): void {
    // A constructor must call its parent's constructor, and a try statement needs its block.
    const mustStay = this.#constructorBodies.has(node) || parent?.type === 'TryStatement'
    if (asNodes(node['body']).length > 0 && !mustStay) add('block', '{}', 'block')
  }

  #mutateChain({ node, add }: Place): void {
    const source = this.#source
    for (const link of optionalLinks(node)) {
      const at = source.indexOf('?.', link.end)
      if (at === -1 || at >= node.end) continue
      const after = source[at + 2] === '(' || source[at + 2] === '[' ? '' : '.'
      add('chaining', source.slice(node.start, at) + after + source.slice(at + 2, node.end))
    }
  }

  #mutateCall({ node, add }: Place): void {
    const callee = asNode(node['callee'])
    if (callee?.type !== 'MemberExpression' || callee['computed'] === true) return
    const object = asNode(callee['object'])
    const property = asNode(callee['property'])
    if (object === undefined || property === undefined || object.type === 'Super') return
    const name = this.#text(property)
    const other = Object.hasOwn(methods, name) ? methods[name] : undefined
    if (other !== undefined)
      add('method', this.#source.slice(node.start, property.start) + other + this.#source.slice(property.end, node.end))
    if (dropped.has(name) && callee['optional'] !== true) add('method', this.#text(object))
  }
}

/** Returns the expressions that precede each `?.` of a chain. */
const optionalLinks = (chain: Node): readonly Node[] => {
  const links: Node[] = []
  let node = asNode(chain['expression'])
  while (node !== undefined) {
    const next = asNode(node[node.type === 'CallExpression' ? 'callee' : 'object'] ?? node['expression'])
    if (node['optional'] === true && next !== undefined) links.push(next)
    node = next
  }
  return links
}
