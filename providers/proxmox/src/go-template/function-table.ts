import { type GoValue, isGoList, isGoMap, kindName } from './go-value.ts'
import { FunctionProblem } from './template-error.ts'

type Kind = 'any' | 'text' | 'whole' | 'bool' | 'texts' | 'map'

/** A template function: the kinds of its arguments, and its implementation. */
export interface TemplateFunction {
  readonly kinds: readonly Kind[]
  /** The kind of all further arguments. */
  readonly more?: Kind
  readonly run: (...values: never[]) => GoValue
}

const FITS: Readonly<Record<Kind, (value: GoValue) => boolean>> = {
  any: () => true,
  text: (value) => typeof value === 'string',
  whole: (value) => typeof value === 'number' && Number.isInteger(value),
  bool: (value) => typeof value === 'boolean',
  texts: (value) => isGoList(value) && value.every((each) => typeof each === 'string'),
  map: isGoMap,
}

/** The functions that a template may call, by name. */
export class TemplateFunctions {
  readonly names: ReadonlySet<string>
  readonly #functions: ReadonlyMap<string, TemplateFunction>

  /** @param lazy the names of functions that the evaluator implements itself, because they do not evaluate all arguments */
  constructor(functions: Readonly<Record<string, TemplateFunction>>, lazy: readonly string[]) {
    this.#functions = new Map(Object.entries(functions))
    this.names = new Set([...this.#functions.keys(), ...lazy])
  }

  /** @throws FunctionProblem if the number or kind of arguments is wrong */
  call(name: string, values: readonly GoValue[]): GoValue {
    const called = this.#functions.get(name)
    if (called === undefined) throw new FunctionProblem('there is no such function')
    const { kinds, more, run } = called
    if (values.length < kinds.length || (more === undefined && values.length > kinds.length))
      throw new FunctionProblem(`expected ${kinds.length} arguments, got ${values.length}`)
    for (const [index, value] of values.entries()) {
      const kind = kinds[index] ?? more ?? 'any'
      if (!FITS[kind](value))
        throw new FunctionProblem(`argument ${index + 1} must be a ${kind}, not a ${kindName(value)}`)
    }
    // The kinds have been checked above.
    return run(...(values as never[]))
  }
}
