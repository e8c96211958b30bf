-- A new id: the prefix, and a UUIDv7 in base 32, so that ids sort by the time of their creation. Two characters at a
-- time are looked up in a table of bytes. A loop over the 26 characters took 8 µs, and a recalculation makes one id
-- for each grant.
create or replace function new_id(prefix text)
returns text
language plpgsql
volatile
parallel safe
as $$
declare
  pairs constant bytea :=
    '000102030405060708090a0b0c0d0e0f0g0h0j0k0m0n0p0q0r0s0t0v0w0x0y0z'
    '101112131415161718191a1b1c1d1e1f1g1h1j1k1m1n1p1q1r1s1t1v1w1x1y1z'
    '202122232425262728292a2b2c2d2e2f2g2h2j2k2m2n2p2q2r2s2t2v2w2x2y2z'
    '303132333435363738393a3b3c3d3e3f3g3h3j3k3m3n3p3q3r3s3t3v3w3x3y3z'
    '404142434445464748494a4b4c4d4e4f4g4h4j4k4m4n4p4q4r4s4t4v4w4x4y4z'
    '505152535455565758595a5b5c5d5e5f5g5h5j5k5m5n5p5q5r5s5t5v5w5x5y5z'
    '606162636465666768696a6b6c6d6e6f6g6h6j6k6m6n6p6q6r6s6t6v6w6x6y6z'
    '707172737475767778797a7b7c7d7e7f7g7h7j7k7m7n7p7q7r7s7t7v7w7x7y7z'
    '808182838485868788898a8b8c8d8e8f8g8h8j8k8m8n8p8q8r8s8t8v8w8x8y8z'
    '909192939495969798999a9b9c9d9e9f9g9h9j9k9m9n9p9q9r9s9t9v9w9x9y9z'
    'a0a1a2a3a4a5a6a7a8a9aaabacadaeafagahajakamanapaqarasatavawaxayaz'
    'b0b1b2b3b4b5b6b7b8b9babbbcbdbebfbgbhbjbkbmbnbpbqbrbsbtbvbwbxbybz'
    'c0c1c2c3c4c5c6c7c8c9cacbcccdcecfcgchcjckcmcncpcqcrcsctcvcwcxcycz'
    'd0d1d2d3d4d5d6d7d8d9dadbdcdddedfdgdhdjdkdmdndpdqdrdsdtdvdwdxdydz'
    'e0e1e2e3e4e5e6e7e8e9eaebecedeeefegehejekemenepeqeresetevewexeyez'
    'f0f1f2f3f4f5f6f7f8f9fafbfcfdfefffgfhfjfkfmfnfpfqfrfsftfvfwfxfyfz'
    'g0g1g2g3g4g5g6g7g8g9gagbgcgdgegfggghgjgkgmgngpgqgrgsgtgvgwgxgygz'
    'h0h1h2h3h4h5h6h7h8h9hahbhchdhehfhghhhjhkhmhnhphqhrhshthvhwhxhyhz'
    'j0j1j2j3j4j5j6j7j8j9jajbjcjdjejfjgjhjjjkjmjnjpjqjrjsjtjvjwjxjyjz'
    'k0k1k2k3k4k5k6k7k8k9kakbkckdkekfkgkhkjkkkmknkpkqkrksktkvkwkxkykz'
    'm0m1m2m3m4m5m6m7m8m9mambmcmdmemfmgmhmjmkmmmnmpmqmrmsmtmvmwmxmymz'
    'n0n1n2n3n4n5n6n7n8n9nanbncndnenfngnhnjnknmnnnpnqnrnsntnvnwnxnynz'
    'p0p1p2p3p4p5p6p7p8p9papbpcpdpepfpgphpjpkpmpnpppqprpsptpvpwpxpypz'
    'q0q1q2q3q4q5q6q7q8q9qaqbqcqdqeqfqgqhqjqkqmqnqpqqqrqsqtqvqwqxqyqz'
    'r0r1r2r3r4r5r6r7r8r9rarbrcrdrerfrgrhrjrkrmrnrprqrrrsrtrvrwrxryrz'
    's0s1s2s3s4s5s6s7s8s9sasbscsdsesfsgshsjsksmsnspsqsrssstsvswsxsysz'
    't0t1t2t3t4t5t6t7t8t9tatbtctdtetftgthtjtktmtntptqtrtstttvtwtxtytz'
    'v0v1v2v3v4v5v6v7v8v9vavbvcvdvevfvgvhvjvkvmvnvpvqvrvsvtvvvwvxvyvz'
    'w0w1w2w3w4w5w6w7w8w9wawbwcwdwewfwgwhwjwkwmwnwpwqwrwswtwvwwwxwywz'
    'x0x1x2x3x4x5x6x7x8x9xaxbxcxdxexfxgxhxjxkxmxnxpxqxrxsxtxvxwxxxyxz'
    'y0y1y2y3y4y5y6y7y8y9yaybycydyeyfygyhyjykymynypyqyrysytyvywyxyyyz'
    'z0z1z2z3z4z5z6z7z8z9zazbzczdzezfzgzhzjzkzmznzpzqzrzsztzvzwzxzyzz';
  hex constant text := replace(uuidv7()::text, '-', '');
  -- 28, 60 and 40 bits, which are 6, 12 and 8 characters. The first two extra bits are zero.
  high constant bigint := ('x0' || left(hex, 7))::bit(32)::bigint;
  middle constant bigint := ('x0' || substring(hex from 8 for 15))::bit(64)::bigint;
  low constant bigint := ('x000000' || right(hex, 10))::bit(64)::bigint;
begin
  return prefix || '_' || convert_from(
      substring(pairs from (high >> 20 & 1023)::int * 2 + 1 for 2)
      || substring(pairs from (high >> 10 & 1023)::int * 2 + 1 for 2)
      || substring(pairs from (high >> 0 & 1023)::int * 2 + 1 for 2)
      || substring(pairs from (middle >> 50 & 1023)::int * 2 + 1 for 2)
      || substring(pairs from (middle >> 40 & 1023)::int * 2 + 1 for 2)
      || substring(pairs from (middle >> 30 & 1023)::int * 2 + 1 for 2)
      || substring(pairs from (middle >> 20 & 1023)::int * 2 + 1 for 2)
      || substring(pairs from (middle >> 10 & 1023)::int * 2 + 1 for 2)
      || substring(pairs from (middle >> 0 & 1023)::int * 2 + 1 for 2)
      || substring(pairs from (low >> 30 & 1023)::int * 2 + 1 for 2)
      || substring(pairs from (low >> 20 & 1023)::int * 2 + 1 for 2)
      || substring(pairs from (low >> 10 & 1023)::int * 2 + 1 for 2)
      || substring(pairs from (low >> 0 & 1023)::int * 2 + 1 for 2),
    'UTF8'
  );
end $$;

-- The first characters of an id that is created at an instant. Such a prefix compares with ids like a time.
create or replace function id_at(prefix text, instant timestamptz)
returns text
language plpgsql
stable
parallel safe
as $$
declare
  bits constant bit(50) := (extract(epoch from instant) * 1000)::bigint::bit(50);
  id text := prefix || '_';
begin
  for at in 0..9 loop
    id := id || substr('0123456789abcdefghjkmnpqrstvwxyz', substring(bits from at * 5 + 1 for 5)::int + 1, 1);
  end loop;
  return id;
end $$;

-- A timestamp in the format of every response: 2026-03-10T14:05:09.123Z.
create or replace function iso(instant timestamptz)
returns text
language sql
stable
parallel safe
return to_char(instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- The last day of the month of a day.
create or replace function month_end(day date)
returns date
language sql
immutable
parallel safe
return (date_trunc('month', day::timestamp) + interval '1 month' - interval '1 day')::date;
