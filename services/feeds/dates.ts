/** ISO 8601, RFC 2822, or seconds or milliseconds since 1970, as UTC. Times without a zone count as UTC. */
export function dateOf(text: string | undefined): string | null {
  if (text === undefined || text.length > 100) return null;
  let at: number;
  if (/^\d{9,10}(\.\d+)?$/.test(text)) at = Number(text) * 1000;
  else if (/^\d{12,13}$/.test(text)) at = Number(text);
  else {
    const zoneless = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/.exec(text);
    const compact = /^(\d{4})(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d)Z?)?$/.exec(text);
    if (zoneless) at = Date.parse(`${zoneless[1]}T${zoneless[2]}Z`);
    else if (compact) {
      const [, year, month, day, hour = '00', minute = '00', second = '00'] = compact;
      at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    } else at = /\d{4}/.test(text) ? Date.parse(text) : Number.NaN;
  }
  const date = new Date(at);
  // Neither invalid (NaN) nor outside the range of Postgres: no year 0, no more than four digits.
  return date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999 ? date.toISOString() : null;
}
