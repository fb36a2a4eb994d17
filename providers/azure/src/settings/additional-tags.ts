import { SettingValueError } from '@kerf/runtime'

const LONGEST_KEY = 512
const LONGEST_VALUE = 256

/**
 * Parses tags of the form `key=value`, separated by commas. Keys must differ in more than their case, because Azure compares them
 * case-insensitively.
 *
 * @throws SettingValueError for tags that Azure refuses.
 */
export const parseTags = (text: string): Readonly<Record<string, string>> => {
  const tags = new Map<string, string>()
  const seen = new Set<string>()
  for (const part of text.split(',')) {
    if (part.trim() === '') continue
    const at = part.indexOf('=')
    if (at <= 0) throw new SettingValueError(`${JSON.stringify(part)} is not a tag such as team=data`)
    const key = part.slice(0, at).trim()
    const value = part.slice(at + 1).trim()
    if (key.length > LONGEST_KEY)
      throw new SettingValueError(`the key of ${JSON.stringify(part)} is too long: ${LONGEST_KEY} characters at most`)
    if (/[<>%&\\?/]/.test(key))
      throw new SettingValueError(`the key of ${JSON.stringify(part)} has one of < > % & \\ ? /`)
    if (value.length > LONGEST_VALUE)
      throw new SettingValueError(`the value of ${key} is too long: ${LONGEST_VALUE} characters at most`)
    if (seen.has(key.toLowerCase())) throw new SettingValueError(`the key ${key} is defined twice`)
    seen.add(key.toLowerCase())
    tags.set(key, value)
  }
  return Object.fromEntries(tags)
}
