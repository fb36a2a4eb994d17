import { describe, expect, test } from 'vitest'
import en from './en/translation.json'
import ukReasons from './uk/reasons.json'
import uk from './uk/translation.json'
import zhReasons from './zh/reasons.json'
import zh from './zh/translation.json'

/** Terms of Karpenter, each with the only stem that may be used for it in each language. */
const TERMS = [
  { term: 'taint', en: /\btaint/i, uk: /taint/i, zh: /污点/ },
  { term: 'consolidation', en: /consolidat/i, uk: /консолід/i, zh: /整合/ },
  { term: 'drift', en: /\bdrift/i, uk: /відхил/i, zh: /漂移/ },
  { term: 'cost', en: /\bcost/i, uk: /варт/i, zh: /成本/ },
  { term: 'limit', en: /\blimit/i, uk: /ліміт/i, zh: /限额/ },
  { term: 'price', en: /\bprice/i, uk: /цін[аиу]?\b|ціни|ціна|ціною/i, zh: /价格/ },
  { term: 'disruption', en: /(?<!Would|do-not-|Pod)disrupt/i, uk: /перер[ви]/i, zh: /中断/ },
  { term: 'budget', en: /(?<!PodDisruption)budget/i, uk: /бюджет/i, zh: /预算/ },
] as const

/** Words that translators also use for one of the terms. No text may contain them. */
const OTHER_WORDS = {
  en: [/\bquota/i, /\bfee\b/i, /\bcompact/i],
  uk: [/дрейф/i, /забрудн/i, /обмежен/i, /кошту/i, /витрат/i, /межа витрат/i, /ущільн/i],
  zh: [/合并节点|合併/, /偏移/, /费用/, /花销/, /上限/, /限制/, /配额/],
} as const

const FORM = /_(zero|one|two|few|many|other)$/
type Texts = Readonly<Record<string, string>>
const plain = (text: string): string => text.replaceAll(/\{\{\w+\}\}/g, '')
const formsByKey = (texts: Texts): ReadonlyMap<string, readonly string[]> => {
  const forms = new Map<string, string[]>()
  for (const [key, text] of Object.entries(texts)) {
    const name = key.replace(FORM, '')
    forms.set(name, [...(forms.get(name) ?? []), plain(text)])
  }
  return forms
}

describe.each([
  { language: 'uk', texts: uk, reasons: ukReasons },
  { language: 'zh', texts: zh, reasons: zhReasons },
] as const)('the words of $language', ({ language, texts, reasons }) => {
  const english = formsByKey(en)

  test.each(TERMS)('$term has one word, which stands for nothing else', (term) => {
    const wrong = [...formsByKey(texts)].flatMap(([key, forms]) => {
      const isMeant = (english.get(key) ?? []).some((text) => term.en.test(text))
      return forms.filter((text) => term[language].test(text) !== isMeant).map((text) => `${key}: ${text}`)
    })
    expect(wrong).toEqual([])
  })

  test('no text uses another word for one of the terms', () => {
    const found = Object.entries({ ...texts, ...reasons }).filter(([, text]) =>
      OTHER_WORDS[language].some((word) => word.test(plain(text))),
    )
    expect(found).toEqual([])
  })
})

test('no English text uses another word for one of the terms', () => {
  expect(Object.entries(en).filter(([, text]) => OTHER_WORDS.en.some((word) => word.test(text)))).toEqual([])
})
