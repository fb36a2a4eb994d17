import { InvariantError, ownValue, setOwnValue } from '@kerf/apis'

/** A value in Terraform's JSON syntax. A string is a template in which `${…}` is an expression. */
export type TerraformValue =
  | string
  | number
  | boolean
  | readonly TerraformValue[]
  | { readonly [key: string]: TerraformValue }

export type TerraformArguments = Readonly<Record<string, TerraformValue>>

/** One `resource` block. */
export interface Resource {
  readonly type: string
  readonly name: string
  readonly arguments: TerraformArguments
}

/** The top-level blocks of a file in Terraform's JSON syntax. */
export interface TerraformFile {
  readonly terraform: TerraformArguments
  readonly provider: TerraformArguments
  readonly variable: TerraformArguments
  readonly locals: TerraformArguments
  readonly resource: readonly Resource[]
  readonly output: TerraformArguments
}

/** Returns a template that consists of a single expression, so that the value keeps the type of the expression. */
export const expression = (text: string): string => `$${'{'}${text}}`

/** Returns an expression for a set of strings, for `for_each`. */
export const terraformSet = (texts: readonly string[]): string =>
  expression(`toset([${texts.map((text) => JSON.stringify(text)).join(', ')}])`)

/**
 * Returns the text of a `.tf.json` file (https://developer.hashicorp.com/terraform/language/syntax/json).
 * @throws InvariantError if two resources have the same address
 */
export const terraformJson = ({ resource, locals, ...blocks }: TerraformFile): string => {
  const byType: Record<string, Record<string, TerraformArguments>> = {}
  for (const { type, name, arguments: own } of resource) {
    const others = ownValue(byType, type)
    if (ownValue(others, name) !== undefined) throw new InvariantError(`two resources have the address ${type}.${name}`)
    setOwnValue(byType, type, { ...others, [name]: own })
  }
  const { terraform, provider, variable, output } = blocks
  return `${JSON.stringify({ terraform, provider, variable, locals, resource: byType, output }, undefined, 2)}\n`
}
