/** Labels by key. */
export type NodeLabels = Readonly<Record<string, string>>

/** Parses `a=b,c=d`. Ignores words without `=`. */
export const parseLabels = (text: string): NodeLabels =>
  Object.fromEntries(
    text.split(',').flatMap((word) => {
      const part = word.trim()
      const at = part.indexOf('=')
      return at <= 0 ? [] : [[part.slice(0, at), part.slice(at + 1)] as const]
    }),
  )

/** Formats labels as `a=b,c=d`. Like upstream, sorts them by the text `KEY=VALUE`, so that `a-b=c` comes before `a=b`. */
export const formatLabels = (labels: NodeLabels): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .toSorted()
    .join(',')
