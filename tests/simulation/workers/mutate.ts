import { registerHooks } from 'node:module'
import type { Mutation } from './task.ts'

/**
 * Changes the source of one file while it is loaded; nothing is written to disk. Affects only modules that are imported
 * afterwards. The import fails unless the text occurs exactly once.
 */
export const mutate = ({ file, text, replacement }: Mutation): void => {
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context)
      if (!url.endsWith(`/${file}`)) return loaded
      const source =
        typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source ?? undefined)
      const found = source.split(text).length - 1
      if (found !== 1) throw new Error(`${file}: the text to be changed occurs ${found} times, not once: ${text}`)
      return { ...loaded, source: source.replace(text, () => replacement) }
    },
  })
}
