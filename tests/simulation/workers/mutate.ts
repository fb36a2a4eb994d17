import { registerHooks } from 'node:module'
import type { PlacedMutation } from './task.ts'
import { occurrences, textPattern } from './text-pattern.ts'

/**
 * Replaces a text in one source file while the file is loaded. Writes nothing to disk. Affects only modules that are imported afterwards.
 * Their import fails unless the text occurs exactly once.
 */
export const mutate = ({ file, text, replacement }: PlacedMutation): void => {
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context)
      if (!url.endsWith(`/${file}`)) return loaded
      const source =
        typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source ?? undefined)
      const found = occurrences(source, text)
      if (found !== 1) throw new Error(`${file}: the text to be changed occurs ${found} times, not once: ${text}`)
      return { ...loaded, source: source.replace(textPattern(text), () => replacement) }
    },
  })
}
