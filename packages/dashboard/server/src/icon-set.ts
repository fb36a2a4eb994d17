import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownValue, setOwnValue } from '@kerf/apis'

interface Icons {
  readonly prefix: string
  readonly icons: Readonly<Record<string, unknown>>
  readonly aliases?: Readonly<Record<string, { readonly parent: string }>>
  readonly width?: number
  readonly height?: number
}

/** Serves icons from a file. By default, the frontend would request them from Iconify's public servers. */
export class IconSet {
  readonly #directory: string
  #loaded: Icons | undefined

  constructor(directory: string) {
    this.#directory = directory
  }

  /**
   * Returns the requested icons as JSON. `file` is `<prefix>.json`, and `names` is a comma-separated list. Returns
   * `undefined` for another icon set.
   */
  answer(file: string, names: string): string | undefined {
    this.#loaded ??= JSON.parse(readFileSync(join(this.#directory, 'icons.json'), 'utf8')) as Icons
    const { prefix, icons, aliases = {}, width, height } = this.#loaded
    if (file !== `${prefix}.json`) return undefined
    const found: Record<string, unknown> = {}
    const foundAliases: Record<string, unknown> = {}
    const missing: string[] = []
    const add = (name: string, way: readonly string[]): boolean => {
      if (Object.hasOwn(icons, name)) {
        setOwnValue(found, name, ownValue(icons, name))
        return true
      }
      const alias = ownValue(aliases, name)
      if (alias === undefined || way.includes(name) || !add(alias.parent, [...way, name])) return false
      setOwnValue(foundAliases, name, alias)
      return true
    }
    for (const name of names.split(',').filter((one) => one !== '')) if (!add(name, [])) missing.push(name)
    return JSON.stringify({ prefix, width, height, icons: found, aliases: foundAliases, not_found: missing })
  }
}
