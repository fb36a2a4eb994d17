/**
 * Returns the seconds in an environment variable, or the default if it is unset or empty.
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {string} name
 * @param {number} byDefault
 * @returns {number}
 * @throws {Error} with a one-line message if the value is not a whole number of seconds
 */
export const secondsVariable = (env, name, byDefault) => {
  const text = env[name] ?? ''
  if (text === '') return byDefault
  if (!/^\d{1,9}$/.test(text))
    throw new Error(`${name} is "${text}": give it a whole number of seconds, for example ${byDefault}`)
  return Number(text)
}
