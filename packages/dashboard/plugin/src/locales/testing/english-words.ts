/**
 * Words that stay English in every language: names of programs, kinds and keys that are one word, values of fields, commands, and units.
 * Names with a capital letter inside, with a dot or a slash, and abbreviations need no entry.
 */
const KEPT: ReadonlySet<string> = new Set(
  [
    'Headlamp Karpenter Kerf Prometheus kerf kubectl kube-scheduler kerf-observe do-not-disrupt',
    'Pod Node Event Service Spot spot taint taints Taint tolerations finalizers volumeattachments',
    'True False Unknown Ready Initialized Escape Tab',
    'Asleep Drifted Empty Underutilized',
    'get resume',
    'm M p Ki Mi Gi Ti',
  ]
    .join(' ')
    .split(' '),
)

/** Matches a word of Latin letters with its digits and punctuation: `spec.limits.cpu`, `karpenter.sh/nodepool`, `500m`. */
const WORD = /[A-Za-z0-9][A-Za-z0-9_.:/[\]-]*/g
const HAS_LETTERS = /[A-Za-z]/
/** Matches a quantity, a time or a version, such as `500m`, `8Gi`, `p95` and `v1`. */
const AMOUNT = /^[a-z]?\d[\d.,:]*(?:[A-Za-z]{0,3}|[Ee]\d+)$/
/** Matches an age such as `4h3m`. */
const AGE = /^(?:\d+(?:mo|[ywdhms]))+$/
/** Matches a time such as `2026-01-01T00:00:30Z`. */
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z?$/
const ABBREVIATION = /^[A-Z0-9]{2,}s?$/
const COMPOUND = /[a-z][A-Z]|[A-Za-z0-9][./_][A-Za-z0-9]|[A-Z]{2,}[a-z]/

/** Returns the English words of a text in another language. Names that stay English are left out. */
export const englishWords = (text: string): readonly string[] =>
  Array.from(text.matchAll(WORD), ([word]) => word.replace(/[.:/_[\]-]+$/, ''))
    .filter((word) => HAS_LETTERS.test(word) && !KEPT.has(word))
    .filter(
      (word) =>
        !AMOUNT.test(word) && !TIME.test(word) && !AGE.test(word) && !ABBREVIATION.test(word) && !COMPOUND.test(word),
    )
